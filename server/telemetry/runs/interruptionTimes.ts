/**
 * Checks the times of interruptions that a person enters (`isOutsideRun`), and moves the interruptions of a report into
 * its run (`clipInterruptions`).
 */
import type { Interruption } from '../../../schema/dsl/shapes';
import { isInFuture } from './runTimes';

export interface RunTimes {
  start: Date;
  end: Date;
}

/** Milliseconds by which an interruption may begin outside its run, because people type minutes. */
const tolerance = 60_000;

/** Whether an interruption begins outside its run, or is resolved in the future. */
export function isOutsideRun({ at, resolved_at: until }: Interruption, { start, end }: RunTimes, now: Date): boolean {
  const begin = Date.parse(at);
  if (begin < start.getTime() - tolerance || begin > end.getTime() + tolerance) return true;
  return until !== null && isInFuture(new Date(until), now);
}

/**
 * Moves interruptions of a report into its run: the start to the nearest instant of the run, and an end in the future
 * to the end of the run.
 */
export function clipInterruptions(
  interruptions: readonly Interruption[],
  { start, end }: RunTimes,
  now: Date,
): Interruption[] {
  return interruptions.map(({ at, resolved_at: until, ...interruption }) => {
    const begin = Math.max(start.getTime(), Math.min(end.getTime(), Date.parse(at)));
    const reportedEnd = until === null ? null : new Date(until);
    const resolvedTime = reportedEnd && Math.max(begin, (isInFuture(reportedEnd, now) ? end : reportedEnd).getTime());
    return {
      at: new Date(begin).toISOString(),
      ...interruption,
      resolved_at: resolvedTime === null ? null : new Date(resolvedTime).toISOString(),
    };
  });
}
