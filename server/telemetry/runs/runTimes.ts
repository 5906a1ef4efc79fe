import { maxClockLead } from '../adapters/clock';

/** Maximum duration of a run; a longer one is due to a wrong clock. */
const maxRunSeconds = 31 * 86_400;

/** Whole seconds from start to end. */
export const secondsBetween = (start: Date, end: Date): number => Math.round((end.getTime() - start.getTime()) / 1000);

/** Whether an instant lies further in the future than a clock that is slightly ahead explains. */
export const isInFuture = (instant: Date, now: Date): boolean => instant.getTime() > now.getTime() + maxClockLead;

export type RunTimesProblem = [
  field: 'started_at' | 'ended_at',
  text: 'in_future' | 'ends_before_start' | 'run_too_long',
];

/** Problem of the times of a run: the field and the text of the API. */
export function runTimesProblem(start: Date, end: Date, now: Date): RunTimesProblem | undefined {
  if (isInFuture(start, now)) return ['started_at', 'in_future'];
  if (isInFuture(end, now)) return ['ended_at', 'in_future'];
  const seconds = (end.getTime() - start.getTime()) / 1000;
  if (seconds < 0) return ['ended_at', 'ends_before_start'];
  return seconds > maxRunSeconds ? ['ended_at', 'run_too_long'] : undefined;
}
