/** What a timeline that has become another adds to and takes from the sums. Pure. */
import type { SignedInterval } from './days';
import { diffSegments, type Segment } from './timeline';

/** A machine's timeline where news touched it, before and after. */
export interface TimelineChange {
  machineId: number;
  stored: readonly Segment[];
  segments: readonly Segment[];
  /** Seconds up to which the open segment was counted, and is counted now. */
  until: number;
  untilNow: number;
}

export function intervalDelta({ machineId, stored, segments, until, untilNow }: TimelineChange): SignedInterval[] {
  const { gone, come } = diffSegments(closed(stored, until), closed(segments, untilNow));
  const pieces: SignedInterval[] = [];
  const add = (segment: Segment, from: number, to: number, sign: 1 | -1) => {
    if (to > from) pieces.push({ machineId, from, to, state: segment.state, mode: segment.mode, sign });
  };
  const left = [...gone];
  for (const segment of come) {
    const end = segment.to as number;
    const index = left.findIndex(
      (other) => other.from === segment.from && other.state === segment.state && other.mode === segment.mode,
    );
    const [was] = index === -1 ? [] : left.splice(index, 1);
    // The same segment, longer or shorter than before: only the difference counts.
    const wasTo = was ? (was.to as number) : segment.from;
    add(segment, wasTo, end, 1);
    add(segment, end, wasTo, -1);
  }
  for (const segment of left) add(segment, segment.from, segment.to as number, -1);
  return pieces;
}

const closed = (segments: readonly Segment[], until: number) =>
  segments.map((segment) => (segment.to === null ? { ...segment, to: Math.max(segment.from, until) } : segment));
