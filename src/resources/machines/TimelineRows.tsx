import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Identifier, useTranslate } from 'react-admin';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router-dom';
import { stateNames } from '../../../schema/entities/machines';
import {
  blockRows,
  lastPieceEnd,
  pieceAt,
  piecesOf,
  roundToBlock,
  rowHeight,
  type TimelinePoint,
  type TimelineRow,
  visibleBlocks,
} from '../../charts/fleetRows';
import { formatClockTime, formatShortDay, hasDayLabels, labelLeft, stripTicks } from '../../charts/segments';
import { usePathOf } from '../../crud/shared/paths';
import { usePeek } from '../../crud/shared/peek';
import { TimelineBars, TimelineLinks } from './TimelineBlock';
import { TimelinePatterns } from './TimelinePieces';
import { TimelineTooltip } from './TimelineTooltip';

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
  const navigate = useNavigate();
  const pathOf = usePathOf();
  const peek = usePeek();
  const scroll = useRef<HTMLElement>(null);
  const bars = useRef<HTMLDivElement>(null);
  const { top, height, width, isPrinting } = useViewport(scroll);
  const [point, setPoint] = useState<TimelinePoint>();
  /** Index of the row that the Tab key focuses. */
  const [current, setCurrent] = useState(() => rows.findIndex(({ kind }) => kind === 'machine'));
  const isMoving = useRef(false);

  const length = (to - from) / 1000;
  const until = Math.min((now - from) / 1000, length);
  const machineAt = (index: number) => {
    const row = rows[index];
    return row?.kind === 'machine' ? row.machine : undefined;
  };
  const activeIndex = machineAt(current) ? current : rows.findIndex(({ kind }) => kind === 'machine');
  // On paper each row is a block, since a page break may fall between rows but not within a drawing.
  const size = isPrinting ? 1 : blockRows;
  const blocks = useMemo(() => {
    const count = Math.ceil(rows.length / size);
    return Array.from({ length: count }, (_, block) => rows.slice(block * size, (block + 1) * size));
  }, [rows, size]);
  const [firstBlock, lastBlock] = isPrinting ? [0, blocks.length] : visibleBlocks({ top, height, count: rows.length });
  const drawnBlocks = Array.from({ length: lastBlock - firstBlock }, (_, index) => firstBlock + index);
  // The focused row stays in the document when it is scrolled out of view. It keeps its place in the order, since
  // moving it would lose the focus.
  const activeBlock = Math.floor(activeIndex / size);
  if (activeBlock >= lastBlock) drawnBlocks.push(activeBlock);
  else if (activeBlock >= 0 && activeBlock < firstBlock) drawnBlocks.unshift(activeBlock);
  const scale = useMemo(() => ({ length, until, width }), [length, until, width]);

  /** Row of an event, and the second under the pointer, which is undefined left of the bars and for keys. */
  const targetOf = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLElement>('[data-row]');
    const index = Number(link?.dataset.row ?? -1);
    const machine = machineAt(index);
    const box = bars.current?.getBoundingClientRect();
    if (!machine || !box) return undefined;
    const x = event.clientX - box.left;
    const second = x < 0 ? undefined : Math.min((x / width) * length, lastPieceEnd(machine, until) - 1);
    return { index, machine, second };
  };
  const pointTo = (event: MouseEvent) => {
    const target = targetOf(event);
    if (!target) return;
    const { machine, second = lastPieceEnd(machine, until) - 1 } = target;
    setPoint({ machine, second });
  };
  const open = ({ machine, second }: TimelinePoint) =>
    void navigate(`${pathOf('machines', machine.id)}?at=${new Date(from + second * 1000).toISOString()}`);
  const onClick = (event: MouseEvent) => {
    const target = targetOf(event);
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { machine, second } = target;
    // A click by the Enter key has no position.
    const isByKey = event.detail === 0;
    if (!isByKey && second === undefined && peek) return peek.open(machine.id);
    const pointedSecond = point?.machine.id === machine.id ? point.second : undefined;
    open({ machine, second: (isByKey ? undefined : second) ?? pointedSecond ?? lastPieceEnd(machine, until) - 1 });
  };

  const goTo = (index: number, step: number) => {
    let next = Math.max(0, Math.min(index, rows.length - 1));
    while (rows[next] && !machineAt(next)) next += step;
    const machine = machineAt(next);
    if (!machine) return;
    isMoving.current = next !== activeIndex;
    setCurrent(next);
    setPoint({ machine, second: point?.second ?? lastPieceEnd(machine, until) - 1 });
    if (peek?.id !== undefined) peek.open(machine.id);
  };
  const stepPiece = (step: 1 | -1) => {
    const machine = machineAt(activeIndex);
    if (!machine) return;
    const end = lastPieceEnd(machine, until);
    const pieces = piecesOf(machine, end);
    const index = pieces.indexOf(pieceAt(pieces, point?.second ?? end - 1) as (typeof pieces)[number]);
    const next = pieces[Math.max(0, Math.min(index + step, pieces.length - 1))];
    if (next) setPoint({ machine, second: next.since });
  };
  const openActive = () => {
    const machine = machineAt(activeIndex);
    if (machine) peek?.open(machine.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Alt+Left returns to the previous page, for example.
    if (event.altKey || event.ctrlKey || event.metaKey) return;
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
  const [hours, gridLines] = useMemo(() => {
    const ticks = stripTicks({ from, to });
    const label = hasDayLabels({ from, to }) ? formatShortDay : formatClockTime;
    return [
      ticks.map(({ time, left }) => (
        <span key={time} style={{ left: labelLeft(left) }}>
          {label(time)}
        </span>
      )),
      ticks.map(({ time, left }) => <i key={time} style={{ left: `${left}%` }} />),
    ];
  }, [from, to]);
  const nowLeft = ((now - from) / (to - from)) * 100;
  return (
    <>
      <TimelineTooltip point={point} start={from} until={until} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles the events of the links inside */}
      <section
        ref={scroll}
        className="sl-fleet__scroll"
        aria-label={title}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onFocus={({ target }) => setCurrent((index) => Number(target.dataset.row ?? index))}
        onPointerMove={pointTo}
        onPointerLeave={() => setPoint(undefined)}
      >
        <TimelinePatterns />
        <div className="sl-fleet__hours" aria-hidden="true">
          <div>{hours}</div>
        </div>
        <div className="sl-fleet__body" style={isPrinting ? undefined : { height: rows.length * rowHeight }}>
          <div className="sl-fleet__grid" aria-hidden="true">
            {gridLines}
            <b style={{ left: `${nowLeft}%` }} />
          </div>
          <ul>
            {drawnBlocks.map((block) => (
              <TimelineLinks
                key={block}
                rows={blocks[block] ?? []}
                first={block * size}
                count={rows.length}
                stateLabels={stateLabels}
                entry={block === activeBlock ? activeIndex : undefined}
                previewedId={blocks[block]?.some((row) => isMachineRow(row, peek?.id)) ? peek?.id : undefined}
              />
            ))}
          </ul>
          <div ref={bars} className="sl-fleet__bars" aria-hidden="true">
            {drawnBlocks.map((block) => (
              <TimelineBars key={block} rows={blocks[block] ?? []} first={block * size} scale={scale} />
            ))}
            {point && (
              <i
                style={{
                  top: rows.findIndex((row) => isMachineRow(row, point.machine.id)) * rowHeight,
                  left: `${(point.second / length) * 100}%`,
                }}
              />
            )}
          </div>
        </div>
      </section>
    </>
  );
}

/** Space below the page, in pixels. */
const pagePadding = 24;

/** Height of the rows, in pixels, with which the content below them ends at the bottom of the window. */
function spaceBelow(rows: HTMLElement): number {
  const { top, bottom } = rows.getBoundingClientRect();
  const end = rows.closest('figure')?.querySelector('summary')?.getBoundingClientRect().bottom ?? bottom;
  return Math.floor(window.innerHeight - (top + window.scrollY) - (end - bottom) - pagePadding);
}

const isMachineRow = (row: TimelineRow, id: Identifier | undefined): boolean =>
  row.kind === 'machine' && row.machine.id === id;

/**
 * Scroll position in whole steps, height of the visible area and width of the bars, in pixels. `isPrinting`: whether
 * the page is being printed, which needs every row.
 */
function useViewport(area: { readonly current: HTMLElement | null }) {
  const [viewport, setViewport] = useState({ top: 0, height: 600, width: 600, isPrinting: false });
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    // Reads sizes only when they change, since reading them forces a layout.
    const measure = () => {
      element.style.setProperty('--sl-fleet-height', `${spaceBelow(element)}px`);
      setViewport(({ isPrinting }) => ({
        top: roundToBlock(element.scrollTop),
        height: element.clientHeight,
        width: element.querySelector('.sl-fleet__hours > div')?.clientWidth || 600,
        isPrinting,
      }));
    };
    const handleScroll = () => {
      const top = roundToBlock(element.scrollTop);
      setViewport((current) => (current.top === top ? current : { ...current, top }));
    };
    // Draws every row, since paper does not scroll.
    const print = () => flushSync(() => setViewport((current) => ({ ...current, isPrinting: true })));
    const endPrint = () => setViewport((current) => ({ ...current, isPrinting: false }));
    const resizeObserver = new ResizeObserver(measure);
    resizeObserver.observe(element);
    // The rows move when the content above them, such as filter chips, changes its size.
    const page = element.closest('main');
    if (page) resizeObserver.observe(page);
    window.addEventListener('resize', measure);
    element.addEventListener('scroll', handleScroll, { passive: true });
    window.addEventListener('beforeprint', print);
    window.addEventListener('afterprint', endPrint);
    measure();
    return () => {
      resizeObserver.disconnect();
      window.removeEventListener('resize', measure);
      element.removeEventListener('scroll', handleScroll);
      window.removeEventListener('beforeprint', print);
      window.removeEventListener('afterprint', endPrint);
    };
  }, [area]);
  return viewport;
}
