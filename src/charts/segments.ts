/** Layout of segments on a strip. */
import type { StateName } from '../../schema/entities/machines';
import { formatDateTime, formatDayOf } from '../i18n/format';

/** A segment as in `GET /machines/{id}/timeline`; `to` is null for the open segment. */
export interface ChartSegment {
  state: StateName;
  mode: string | null;
  from: string;
  to: string | null;
  reason: string | null;
  /** Protocol of the message that caused it; null if no message did (silence, or no data). */
  source: string | null;
}

export interface StripPiece {
  state: StateName;
  reason: string;
  source: string | null;
  /** Milliseconds, clipped to the strip. */
  from: number;
  to: number;
  /** Percent of the strip. */
  left: number;
  width: number;
}

const hourMs = 3_600_000;

interface Interval {
  from: number;
  to: number;
}

/**
 * Places the segments of a period in order. Merges neighbours with the same state and reason, whose modes may differ:
 * the strip shows states. A merged piece has the source of its first segment.
 */
export function stripPieces(segments: readonly ChartSegment[], { from, to }: Interval): StripPiece[] {
  const percent = (ms: number) => (ms / (to - from)) * 100;
  const pieces: StripPiece[] = [];
  for (const segment of [...segments].sort((a, b) => Date.parse(a.from) - Date.parse(b.from))) {
    const start = Math.max(Date.parse(segment.from), from);
    const end = Math.min(segment.to ? Date.parse(segment.to) : to, to);
    if (end <= start) continue;
    const lastPiece = pieces.at(-1);
    const reason = segment.reason ?? '';
    if (lastPiece && lastPiece.state === segment.state && lastPiece.reason === reason && lastPiece.to === start) {
      lastPiece.to = end;
      lastPiece.width = percent(end - lastPiece.from);
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

/** Whether the strip labels days instead of hours. */
export const hasDayLabels = ({ from, to }: Interval): boolean => to - from > 2 * 24 * hourMs;

/** Labels under the strip: about six, at full hours or midnights, none at the edges. */
export function stripTicks({ from, to }: Interval): { time: number; left: number }[] {
  const hoursApart = Math.max(Math.round((to - from) / hourMs / 6), 1);
  const first = new Date(from);
  first.setMinutes(0, 0, 0);
  const ticks: { time: number; left: number }[] = [];
  for (let time = first.getTime(); time < to; time += hourMs) {
    const left = ((time - from) / (to - from)) * 100;
    const hourOfDay = new Date(time).getHours();
    if (left > 2 && left < 98 && (hasDayLabels({ from, to }) ? hourOfDay === 0 : hourOfDay % hoursApart === 0))
      ticks.push({ time, left });
  }
  return ticks;
}

/** CSS `left` of the centre of a label, at `left` percent of a strip. Labels near its ends stay inside. */
export const labelLeft = (left: number): string => `clamp(20px, ${left}%, calc(100% - 20px))`;

/** `08:05` in the user's time zone. */
export function formatClockTime(ms: number): string {
  const instant = new Date(ms);
  return `${String(instant.getHours()).padStart(2, '0')}:${String(instant.getMinutes()).padStart(2, '0')}`;
}

/** `21.11.` in the user's time zone. */
export const formatShortDay = (ms: number): string => formatDayOf(ms).slice(0, 6);

/** Display names of protocols. */
const protocolNames: Record<string, string> = {
  osmand: 'OsmAnd',
  own: 'Sweepline',
  thingsboard: 'ThingsBoard',
  vda5050: 'VDA 5050',
};
export const protocolName = (protocol: string): string => protocolNames[protocol] ?? protocol;

/**
 * Start and end as clock times. Adds the date to a time on another day than `referenceTime`; to the end only if it is
 * also on another day than the start.
 */
export function formatTimeRange({ from, to }: Interval, referenceTime = to): [string, string] {
  const timeLabel = (ms: number, values: readonly number[]) =>
    values.some((day) => formatDayOf(day) === formatDayOf(ms)) ? formatClockTime(ms) : formatDateTime(ms);
  return [timeLabel(from, [referenceTime]), timeLabel(to, [from, referenceTime])];
}
