import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useEvent, useTranslate } from 'react-admin';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router-dom';
import { stateNames } from '../../../schema/entities/machines';
import {
  pieceAt,
  piecesOf,
  rowHeight,
  stateNow,
  stepTop,
  type TimelinePoint,
  type TimelineRow,
  untilOf,
  visibleRows,
} from '../../charts/fleetRows';
import { clock, isLong, shortDay, ticksIn } from '../../charts/segments';
import { usePathOf } from '../../crud/shared/paths';
import { usePeek } from '../../crud/shared/peek';
import { useCounted } from '../../crud/shared/useCounted';
import { TimelineBar } from './TimelineBar';
import { TimelineMoment } from './TimelineMoment';
import { TimelinePatterns } from './TimelinePieces';

interface TimelineRowsProps {
  title: string;
  rows: readonly TimelineRow[];
  /** The displayed period and the last clock tick, in milliseconds since the Unix epoch. */
  from: number;
  to: number;
  now: number;
}

/** The rows of the timeline, of which only those in view are drawn. Arrow keys move between rows and between pieces. */
export function TimelineRows({ title, rows, from, to, now }: TimelineRowsProps) {
  const translate = useTranslate();
  const counted = useCounted();
  const navigate = useNavigate();
  const pathOf = usePathOf();
  const peek = usePeek();
  const scroll = useRef<HTMLElement>(null);
  const { top, height, width } = useViewport(scroll);
  const [point, setPoint] = useState<TimelinePoint>();
  /** Index of the row at which the Tab key enters. */
  const [current, setCurrent] = useState(() => rows.findIndex(({ kind }) => kind === 'machine'));
  const isMoving = useRef(false);

  const length = (to - from) / 1000;
  const until = Math.min((now - from) / 1000, length);
  const machineAt = (index: number) => {
    const row = rows[index];
    return row?.kind === 'machine' ? row.machine : undefined;
  };
  const activeIndex = machineAt(current) ? current : rows.findIndex(({ kind }) => kind === 'machine');
  const [first, last] = visibleRows({ top, height, count: rows.length });
  const rowIndexes = Array.from({ length: last - first }, (_, index) => first + index);
  // The focused row stays in the document when it is scrolled out of view. It keeps its place in the order, since
  // moving it would lose the focus.
  if (activeIndex >= last) rowIndexes.push(activeIndex);
  else if (activeIndex >= 0 && activeIndex < first) rowIndexes.unshift(activeIndex);

  const open = useEvent(
    ({ machine, second }: TimelinePoint) =>
      void navigate(`${pathOf('machines', machine.id)}?at=${new Date(from + second * 1000).toISOString()}`),
  );
  const openPeek = useEvent((id: number) => peek?.open(id));

  const goTo = (index: number, step: number) => {
    let next = Math.max(0, Math.min(index, rows.length - 1));
    while (rows[next] && !machineAt(next)) next += step;
    const machine = machineAt(next);
    if (!machine) return;
    isMoving.current = true;
    setCurrent(next);
    setPoint({ machine, second: point?.second ?? untilOf(machine, until) - 1 });
    if (peek?.id !== undefined) peek.open(machine.id);
  };
  const stepPiece = (step: 1 | -1) => {
    const machine = machineAt(activeIndex);
    if (!machine) return;
    const end = untilOf(machine, until);
    const pieces = piecesOf(machine, end);
    const at = pieces.indexOf(pieceAt(pieces, point?.second ?? end - 1) as (typeof pieces)[number]);
    const next = pieces[Math.max(0, Math.min(at + step, pieces.length - 1))];
    if (next) setPoint({ machine, second: next.since });
  };
  const openActive = () => {
    const machine = machineAt(activeIndex);
    if (machine) peek?.open(machine.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height / rowHeight) - 2);
    const run = {
      ArrowDown: () => goTo(activeIndex + 1, 1),
      ArrowUp: () => goTo(activeIndex - 1, -1),
      PageDown: () => goTo(activeIndex + page, 1),
      PageUp: () => goTo(activeIndex - page, 1),
      Home: () => goTo(0, 1),
      End: () => goTo(rows.length - 1, -1),
      ArrowRight: () => stepPiece(1),
      ArrowLeft: () => stepPiece(-1),
      ' ': peek && openActive,
      Escape: peek?.id === undefined ? undefined : peek.close,
    }[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  };

  useLayoutEffect(() => {
    const area = scroll.current;
    if (!isMoving.current || !area) return;
    isMoving.current = false;
    const link = area.querySelector<HTMLElement>(`[data-row="${activeIndex}"]`);
    link?.focus({ preventScroll: true });
    const [above, below] = [activeIndex * rowHeight, (activeIndex + 2) * rowHeight - area.clientHeight + rowHeight];
    if (area.scrollTop > above) area.scrollTop = above;
    else if (area.scrollTop < below) area.scrollTop = below;
  }, [activeIndex]);

  const stateLabels: Record<string, string> = useMemo(
    () => ({
      unheard: translate('timeline.unheard'),
      ...Object.fromEntries(
        stateNames.map((state) => [state, translate(`resources.machines.choices.status.${state}`)]),
      ),
    }),
    [translate],
  );
  const [hours, lines] = useMemo(() => {
    const ticks = ticksIn({ from, to });
    const label = isLong({ from, to }) ? shortDay : clock;
    return [
      ticks.map(({ at, left }) => (
        <span key={at} style={{ left: `${left}%` }}>
          {label(at)}
        </span>
      )),
      ticks.map(({ at, left }) => <i key={at} style={{ left: `${left}%` }} />),
    ];
  }, [from, to]);
  const nowLeft = ((now - from) / (to - from)) * 100;
  return (
    <>
      <TimelineMoment point={point} start={from} until={until} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles keys pressed in the rows inside */}
      <section ref={scroll} className="sl-fleet__scroll" aria-label={title} onKeyDown={onKeyDown}>
        <TimelinePatterns />
        <div className="sl-fleet__hours" aria-hidden="true">
          <div>{hours}</div>
        </div>
        <div className="sl-fleet__body" style={{ height: rows.length * rowHeight }}>
          <div className="sl-fleet__grid" aria-hidden="true">
            {lines}
            <b style={{ left: `${nowLeft}%` }} />
          </div>
          <ul onPointerLeave={() => setPoint(undefined)}>
            {rowIndexes.map((index) => {
              const row = rows[index] as TimelineRow;
              if (row.kind === 'group')
                return (
                  <li key={`group ${row.id}`} className="sl-fleet__group" style={{ top: index * rowHeight }}>
                    {row.name ?? translate('timeline.no_group')}
                    <small>{counted('resources.machines.counted', row.count)}</small>
                  </li>
                );
              const { machine } = row;
              return (
                <TimelineBar
                  key={machine.id}
                  machine={machine}
                  stateLabel={stateLabels[stateNow(machine) ?? 'unheard'] ?? ''}
                  index={index}
                  count={rows.length}
                  isEntry={index === activeIndex}
                  length={length}
                  until={until}
                  width={width}
                  cursor={point?.machine.id === machine.id ? point.second : undefined}
                  onPoint={setPoint}
                  onFocus={setCurrent}
                  onOpen={open}
                  isPeeked={machine.id === peek?.id}
                  onPeek={peek && openPeek}
                />
              );
            })}
          </ul>
        </div>
      </section>
    </>
  );
}

/** Scroll position in whole steps, height of the visible area and width of the bars, in pixels. */
function useViewport(area: { readonly current: HTMLElement | null }) {
  const [viewport, setViewport] = useState({ top: 0, height: 600, width: 600 });
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    // Reads sizes only when they change, since reading them forces a layout.
    const measure = () =>
      setViewport({
        top: stepTop(element.scrollTop),
        height: element.clientHeight,
        width: element.querySelector('.sl-fleet__hours > div')?.clientWidth || 600,
      });
    const follow = () => {
      const top = stepTop(element.scrollTop);
      setViewport((current) => (current.top === top ? current : { ...current, top }));
    };
    // Paper does not scroll, so printing draws every row.
    const print = () =>
      flushSync(() => setViewport((current) => ({ ...current, top: 0, height: Number.MAX_SAFE_INTEGER })));
    const resizeObserver = new ResizeObserver(measure);
    resizeObserver.observe(element);
    element.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('beforeprint', print);
    window.addEventListener('afterprint', measure);
    measure();
    return () => {
      resizeObserver.disconnect();
      element.removeEventListener('scroll', follow);
      window.removeEventListener('beforeprint', print);
      window.removeEventListener('afterprint', measure);
    };
  }, [area]);
  return viewport;
}
