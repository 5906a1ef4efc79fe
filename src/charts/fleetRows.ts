/** Layout of the fleet timeline: the rows of a response, their pieces in pixels, and updates by events. */
import type { FleetTimelineResult } from '../../schema/endpoints/fleetTimeline';
import { type StateName, stateNames } from '../../schema/entities/machines';

export type TimelineMachine = FleetTimelineResult['machines'][number];

/** A group heading or a machine; both have the same height. */
export type TimelineRow =
  | { kind: 'group'; id: number | null; name: string | undefined; count: number }
  | { kind: 'machine'; machine: TimelineMachine };

/** A machine and a time, in seconds since the start of the response. */
export interface TimelinePoint {
  machine: TimelineMachine;
  second: number;
}

/** Pixels. */
export const rowHeight = 28;

/** The rows of a response, with a heading before each group. */
export function timelineRows({ machines, groups }: FleetTimelineResult, isGrouped: boolean): TimelineRow[] {
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  const rows: TimelineRow[] = [];
  let heading: Extract<TimelineRow, { kind: 'group' }> | undefined;
  for (const machine of machines) {
    // Adjacent groups that the user may not see share one heading.
    const id = machine.group !== null && names.has(machine.group) ? machine.group : null;
    if (isGrouped && (!heading || heading.id !== id)) {
      heading = { kind: 'group', id, name: id === null ? undefined : names.get(id), count: 0 };
      rows.push(heading);
    }
    if (heading) heading.count += 1;
    rows.push({ kind: 'machine', machine });
  }
  return rows;
}

/**
 * Number of rows in a block. Rows are drawn by block, because rendering and laying out single rows in every frame would
 * make scrolling stutter.
 */
export const blockRows = 8;
const blockHeight = blockRows * rowHeight;

/** The scroll position, rounded down to whole blocks. The drawn rows change only when it changes. */
export const roundToBlock = (top: number): number => Math.floor(top / blockHeight) * blockHeight;

/**
 * Half-open range of blocks to draw: the visible ones, and one on either side. `top` comes from `roundToBlock`, so the
 * range holds until the scroll position reaches the next block.
 */
export function visibleBlocks({
  top,
  height,
  count,
}: {
  top: number;
  height: number;
  count: number;
}): [number, number] {
  const blocks = Math.ceil(count / blockRows);
  const first = Math.max(0, Math.floor(top / blockHeight) - 1);
  return [Math.min(first, blocks), Math.min(blocks, Math.ceil((top + height) / blockHeight) + 2)];
}

export interface TimelinePiece {
  /** Absent before the first message of the machine. */
  state: StateName | undefined;
  /** Seconds since the start of the period. */
  since: number;
  until: number;
}

/** Pieces of a machine; the last one ends at second `until`. */
export function piecesOf({ pieces }: Pick<TimelineMachine, 'pieces'>, until: number): TimelinePiece[] {
  const result: TimelinePiece[] = [];
  for (let index = 0; index < pieces.length; index += 2) {
    const since = pieces[index] as number;
    const end = Math.min(pieces[index + 2] ?? until, until);
    if (end > since) result.push({ state: stateNames[pieces[index + 1] as number], since, until: end });
  }
  return result;
}

/**
 * The second at which a machine's last piece ends: `until`, the last tick of the clock, or later if an event has since
 * begun a piece. Other machines keep `until`, so that an event renders only one row.
 */
export const lastPieceEnd = ({ pieces }: Pick<TimelineMachine, 'pieces'>, until: number): number =>
  Math.max(until, (pieces.at(-2) ?? 0) + 1);

/** The piece that contains the second, else the nearest one. */
export const pieceAt = (pieces: readonly TimelinePiece[], second: number): TimelinePiece | undefined =>
  pieces.find(({ until }) => second < until) ?? pieces.at(-1);

interface Scale {
  /** Seconds. */
  length: number;
  /** Pixels. */
  width: number;
}

/** A machine's bar. `top`: pixels from the upper edge of the drawing. */
export interface TimelineBar {
  top: number;
  pieces: readonly TimelinePiece[];
}

/**
 * One SVG path per state for all bars: far fewer elements than one per bar. Edges lie on whole pixels, so pieces
 * neither overlap nor leave gaps; a piece narrower than a pixel may disappear.
 */
export function statePaths(
  bars: readonly TimelineBar[],
  { length, width }: Scale,
): { state: StateName | undefined; path: string }[] {
  const paths = new Map<StateName | undefined, string>();
  const pixel = (second: number) => Math.round((second / length) * width);
  for (const { top, pieces } of bars)
    for (const { state, since, until } of pieces) {
      const [left, right] = [pixel(since), pixel(until)];
      if (right > left) paths.set(state, `${paths.get(state) ?? ''}M${left} ${top}H${right}v${barHeight}H${left}Z`);
    }
  return [...paths].map(([state, path]) => ({ state, path }));
}

/** Pixels. */
export const barHeight = 20;

/** Current state of a machine, even if its last piece is too short to be drawn. */
export const stateNow = ({ pieces }: Pick<TimelineMachine, 'pieces'>): StateName | undefined =>
  stateNames[pieces.at(-1) ?? -1];

/**
 * Applies an event about one machine to the response. Returns the same object if the event contains no state, or if the
 * machine is not in the response.
 */
export function applyEvent(
  timeline: FleetTimelineResult,
  id: number,
  { status, status_since }: { status?: unknown; status_since?: unknown },
): FleetTimelineResult {
  const code = (stateNames as readonly unknown[]).indexOf(status);
  const index = timeline.machines.findIndex((machine) => machine.id === id);
  const machine = timeline.machines[index];
  if (code < 0 || !machine || typeof status_since !== 'string') return timeline;
  const second = Math.max(0, Math.floor((Date.parse(status_since) - Date.parse(timeline.from)) / 1000));
  const laterIndex = machine.pieces.findIndex((start, position) => position % 2 === 0 && start >= second);
  const pieces = [...(laterIndex < 0 ? machine.pieces : machine.pieces.slice(0, laterIndex)), second, code];
  return { ...timeline, machines: timeline.machines.with(index, { ...machine, pieces }) };
}

const hourMs = 3_600_000;

export const timelineSpans = ['day', 'week'] as const;
export type TimelineSpan = (typeof timelineSpans)[number];

/**
 * The displayed period in the user's time zone, in milliseconds since the Unix epoch: the last 24 hours up to the next
 * full hour, or today and the six days before.
 */
export function timelinePeriod(span: TimelineSpan, now: number): { from: number; to: number } {
  if (span === 'day') {
    const to = (Math.floor(now / hourMs) + 1) * hourMs;
    return { from: to - 24 * hourMs, to };
  }
  const midnight = (days: number) => {
    const day = new Date(now);
    day.setHours(0, 0, 0, 0);
    return day.setDate(day.getDate() + days);
  };
  return { from: midnight(-6), to: midnight(1) };
}
