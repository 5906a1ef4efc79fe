import './charts.css';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import type { StateName } from '../../schema/entities/machines';
import { StateMark } from '../ui/StateMark';
import { ChartFrame } from './ChartFrame';
import {
  type ChartSegment,
  formatClockTime,
  formatShortDay,
  formatTimeRange,
  hasDayLabels,
  labelLeft,
  protocolName,
  stripPieces,
  stripTicks,
} from './segments';

interface Props {
  title: string;
  /** `undefined` while loading. */
  segments: readonly ChartSegment[] | undefined;
  /** Milliseconds since the Unix epoch. */
  from: number;
  to: number;
  /** Time whose piece is initially selected; default: the last piece. */
  moment?: number;
  /** Shown beside the title. */
  periodSelector?: ReactNode;
}

/** States of a machine over a period, one piece per segment; arrow keys move between the pieces. */
export function TimelineStrip({ title, segments, from, to, moment, periodSelector }: Props) {
  const translate = useTranslate();
  const list = useRef<HTMLUListElement>(null);
  const pieces = stripPieces(segments ?? [], { from, to });
  const [pickedIndex, setPickedIndex] = useState<number>();
  const momentIndex = moment === undefined ? -1 : pieces.findIndex((piece) => moment < piece.to);
  const last = pieces.length - 1;
  const activeIndex = Math.min(pickedIndex ?? (momentIndex < 0 ? last : momentIndex), last);
  const active = pieces[activeIndex];
  const stateLabel = (state: StateName) => translate(`resources.machines.choices.status.${state}`);

  const moveFocus = (event: KeyboardEvent) => {
    const next = { ArrowRight: activeIndex + 1, ArrowLeft: activeIndex - 1, Home: 0, End: last }[event.key];
    if (next === undefined || !pieces[next]) return;
    event.preventDefault();
    setPickedIndex(next);
    list.current?.querySelectorAll('button')[next]?.focus();
  };

  const strip = (
    <>
      <ul ref={list} className="sl-strip__bar" onKeyDown={moveFocus}>
        {pieces.map((piece, index) => (
          <li key={piece.from}>
            <button
              type="button"
              className={`is-${piece.state.toLowerCase()}`}
              style={{ left: `${piece.left}%`, width: `${piece.width}%` }}
              tabIndex={index === activeIndex ? 0 : -1}
              aria-label={[stateLabel(piece.state), formatTimeRange(piece, to).join(' – '), piece.reason]
                .filter(Boolean)
                .join(', ')}
              onFocus={() => setPickedIndex(index)}
              onMouseEnter={() => setPickedIndex(index)}
            />
          </li>
        ))}
      </ul>
      <div className="sl-strip__hours" aria-hidden="true">
        {stripTicks({ from, to }).map(({ time, left }) => (
          <span key={time} style={{ left: labelLeft(left) }}>
            {hasDayLabels({ from, to }) ? formatShortDay(time) : formatClockTime(time)}
          </span>
        ))}
      </div>
      {active ? (
        <p className="sl-strip__status">
          <StateMark state={active.state} /> <span>{formatTimeRange(active, to).join(' – ')}</span>{' '}
          <span>{active.reason}</span>
          {active.source && (
            <span className="sl-strip__source">
              {translate('machine.state_source', { source: protocolName(active.source) })}
            </span>
          )}
        </p>
      ) : (
        <p className="sl-strip__status">{translate(segments ? 'machine.timeline_empty' : 'frame.loading')}</p>
      )}
    </>
  );
  return (
    <section className="sl-strip" aria-label={title}>
      <div className="sl-strip__head">
        <h2>{title}</h2>
        {periodSelector}
      </div>
      {pieces.length === 0 ? (
        strip
      ) : (
        <ChartFrame
          name="timeline"
          title={title}
          table={
            <table>
              <thead>
                <tr>
                  {['machine.from', 'machine.to', 'machine.state', 'machine.reason', 'machine.source'].map((key) => (
                    <th key={key} scope="col">
                      {translate(key)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {pieces.toReversed().map((piece) => (
                  <tr key={piece.from}>
                    <td>{formatTimeRange(piece, to)[0]}</td>
                    <td>{formatTimeRange(piece, to)[1]}</td>
                    <td>{stateLabel(piece.state)}</td>
                    <td>{piece.reason}</td>
                    <td>{piece.source && protocolName(piece.source)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          }
        >
          {strip}
        </ChartFrame>
      )}
    </section>
  );
}
