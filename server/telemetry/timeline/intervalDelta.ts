/** Signed intervals between an old and a new timeline. Pure. */
import type { SignedInterval } from './days';
import { diffSegments, type Segment } from './timeline';

/** Timeline of a machine around new observations, before and after. */
export interface TimelineChange {
  machineId: number;
  stored: readonly Segment[];
  segments: readonly Segment[];
  /** Seconds since 1970 up to which the open segment was counted before, and is counted now. */
  until: number;
  untilNow: number;
}

/** Intervals to add to the daily sums, and to take from them. */
export function intervalDelta({ machineId, stored, segments, until, untilNow }: TimelineChange): SignedInterval[] {
  const { removed, added } = diffSegments(closeSegments(stored, until), closeSegments(segments, untilNow));
  const intervals: SignedInterval[] = [];
  const add = (segment: Segment, from: number, to: number, sign: 1 | -1) => {
    if (to > from) intervals.push({ machineId, from, to, state: segment.state, mode: segment.mode, sign });
  };
  const unmatchedSegments = [...removed];
  for (const segment of added) {
    const end = segment.to as number;
    const index = unmatchedSegments.findIndex(
      (other) => other.from === segment.from && other.state === segment.state && other.mode === segment.mode,
    );
    const [previous] = index === -1 ? [] : unmatchedSegments.splice(index, 1);
    // Same segment with another end: only the difference counts.
    const previousEnd = previous ? (previous.to as number) : segment.from;
    add(segment, previousEnd, end, 1);
    add(segment, end, previousEnd, -1);
  }
  for (const segment of unmatchedSegments) add(segment, segment.from, segment.to as number, -1);
  return intervals;
}

const closeSegments = (segments: readonly Segment[], until: number) =>
  segments.map((segment) => (segment.to === null ? { ...segment, to: Math.max(segment.from, until) } : segment));
