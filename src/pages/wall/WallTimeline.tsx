import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { stateFields, stateOf } from '../../charts/figures';
import { barHeight } from '../../charts/fleetRows';
import { Swatch } from '../../charts/Patterns';
import { formatClockTime, stripTicks } from '../../charts/segments';
import { TimelinePatterns, TimelinePieces } from '../../resources/machines/TimelinePieces';
import { useFleetTimeline, useNow } from '../../resources/machines/useFleetTimeline';
import '../../resources/machines/fleetTimeline.css';

/** Height of a row in pixels; must match the stylesheet. */
const rowHeight = 38;
const choice = { span: 'day', group: undefined, order: 'name' } as const;
const noFilter: [] = [];

/** States of machines in the last 24 hours: as many machines as fit; the next round shows the next page of machines. */
export const WallTimeline = ({ round }: { round: number }) => {
  const translate = useTranslate();
  const now = useNow();
  const area = useRef<HTMLUListElement>(null);
  const [size, setSize] = useState<{ rows: number; width: number }>();
  const [pages, setPages] = useState(1);
  useLayoutEffect(() => {
    const element = area.current;
    if (element)
      setSize({ rows: Math.max(1, Math.floor(element.clientHeight / rowHeight)), width: element.clientWidth - 260 });
  }, []);
  const perPage = size?.rows ?? 20;
  const page = (round % pages) + 1;
  const { data: timeline, length } = useFleetTimeline({ filter: noFilter, choice, page, perPage, now });
  // The number of pages is known only from the first response.
  if (timeline && timeline.last_page !== pages) setPages(timeline.last_page);
  const from = timeline ? Date.parse(timeline.data.from) : now;
  const seconds = length / 1000;
  const until = Math.min((now - from) / 1000, seconds);
  return (
    <>
      <TimelinePatterns />
      <div className="sl-wall__hours" aria-hidden="true">
        {stripTicks({ from, to: from + length }).map(({ time, left }) => (
          <span key={time} style={{ left: `${left}%` }}>
            {formatClockTime(time)}
          </span>
        ))}
      </div>
      <ul ref={area} className="sl-wall__rows" aria-label={translate('timeline.title')}>
        {size &&
          timeline?.data.machines.map((machine) => (
            <li key={machine.id}>
              <span>{machine.serial_number}</span>
              <svg viewBox={`0 0 ${size.width} ${barHeight}`} preserveAspectRatio="none" aria-hidden="true">
                <TimelinePieces bars={[{ machine, top: 0 }]} scale={{ length: seconds, until, width: size.width }} />
              </svg>
            </li>
          ))}
      </ul>
      <ul className="sl-wall__legend">
        {stateFields.map((field) => (
          <li key={field}>
            <Swatch kind={field} scope="fleet" />
            {translate(`resources.machines.choices.status.${stateOf[field]}`)}
          </li>
        ))}
        {pages > 1 && <li>{translate('wall.page', { page, pages })}</li>}
      </ul>
    </>
  );
};
