/** Where the pieces of a timeline stand on a strip. */
import type { StateName } from '../../schema/entities/machines';
import { formatDateTime, formatDayOf } from '../i18n/format';

/** As `GET /machines/{id}/timeline` answers; `to` is null while it lasts. */
export interface ChartSegment {
  state: StateName;
  mode: string | null;
  from: string;
  to: string | null;
  reason: string | null;
  /** The protocol of the message that told it; null where silence or nothing did. */
  source: string | null;
}

export interface Placed {
  state: StateName;
  reason: string;
  source: string | null;
  /** Milliseconds, cut to the strip. */
  from: number;
  to: number;
  /** Percent of the strip. */
  left: number;
  width: number;
}

const hour = 3_600_000;

interface Stretch {
  from: number;
  to: number;
}

/**
 * The pieces inside a stretch of time, in order. Neighbours that differ only in mode are one piece: the strip shows
 * states.
 */
export function placedIn(segments: readonly ChartSegment[], { from, to }: Stretch): Placed[] {
  const percent = (ms: number) => (ms / (to - from)) * 100;
  const pieces: Placed[] = [];
  for (const segment of [...segments].sort((a, b) => Date.parse(a.from) - Date.parse(b.from))) {
    const start = Math.max(Date.parse(segment.from), from);
    const end = Math.min(segment.to ? Date.parse(segment.to) : to, to);
    if (end <= start) continue;
    const last = pieces.at(-1);
    const reason = segment.reason ?? '';
    if (last && last.state === segment.state && last.reason === reason && last.to === start) {
      last.to = end;
      last.width = percent(end - last.from);
    } else
      pieces.push({
        state: segment.state,
        reason,
        source: segment.source,
        from: start,
        to: end,
        left: percent(start - from),
        width: percent(end - start),
      });
  }
  return pieces;
}

/** Whether a stretch is told by its days rather than its hours. */
export const isLong = ({ from, to }: Stretch): boolean => to - from > 2 * 24 * hour;

/** The full hours, or the midnights, to print under the strip: about six of them, none at its very edge. */
export function ticksIn({ from, to }: Stretch): { at: number; left: number }[] {
  const every = Math.max(Math.round((to - from) / hour / 6), 1);
  const first = new Date(from);
  first.setMinutes(0, 0, 0);
  const ticks: { at: number; left: number }[] = [];
  for (let at = first.getTime(); at < to; at += hour) {
    const left = ((at - from) / (to - from)) * 100;
    const ofDay = new Date(at).getHours();
    if (left > 2 && left < 98 && (isLong({ from, to }) ? ofDay === 0 : ofDay % every === 0)) ticks.push({ at, left });
  }
  return ticks;
}

/** `08:05` in the reader's time zone. */
export function clock(ms: number): string {
  const moment = new Date(ms);
  return `${String(moment.getHours()).padStart(2, '0')}:${String(moment.getMinutes()).padStart(2, '0')}`;
}

/** `21.11.` in the reader's time zone. */
export const shortDay = (ms: number): string => formatDayOf(ms).slice(0, 6);

/** Protocols by the names they are known by. */
const sources: Record<string, string> = {
  osmand: 'OsmAnd',
  own: 'Sweepline',
  thingsboard: 'ThingsBoard',
  vda5050: 'VDA 5050',
};
export const sourceName = (protocol: string): string => sources[protocol] ?? protocol;

/**
 * Beginning and end for people: clock times, each with its day where that is not the day of `last`, nor the end's the
 * day of the beginning.
 */
export function spanOf({ from, to }: Stretch, last = to): [string, string] {
  const named = (ms: number, known: readonly number[]) =>
    known.some((day) => formatDayOf(day) === formatDayOf(ms)) ? clock(ms) : formatDateTime(ms);
  return [named(from, [last]), named(to, [from, last])];
}
