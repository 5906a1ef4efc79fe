/** Comparison of a period with the previous one. */
import { addDays, countPeriodDays, type Period } from './period';

/** The period of the same length that ends the day before. */
export function periodBefore({ from, to }: Period): Period {
  const length = countPeriodDays({ from, to });
  return { from: addDays(from, -length), to: addDays(from, -1) };
}

/** Change relative to the previous value (0.12 is 12 % more); `undefined` without one. */
export const changeOf = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before;
