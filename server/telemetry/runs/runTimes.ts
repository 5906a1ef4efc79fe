/** Maximum duration of a run; a longer one is due to a wrong clock. */
const maxRunSeconds = 31 * 86_400;

/** Whole seconds from start to end. */
export const secondsBetween = (start: Date, end: Date): number => Math.round((end.getTime() - start.getTime()) / 1000);

/** Problem of the times of a run, as a text of the API. */
export function runTimesProblem(start: Date, end: Date): 'ends_before_start' | 'run_too_long' | undefined {
  const seconds = (end.getTime() - start.getTime()) / 1000;
  if (seconds < 0) return 'ends_before_start';
  return seconds > maxRunSeconds ? 'run_too_long' : undefined;
}
