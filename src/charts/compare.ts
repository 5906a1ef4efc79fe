/** One period beside the one of the same length before it. */
import { addDays, countPeriodDays, type Period } from './period';

/** The period of the same length that ends the day before. */
export function periodBefore({ from, to }: Period): Period {
  const length = countPeriodDays({ from, to });
  return { from: addDays(from, -length), to: addDays(from, -1) };
}

/** Change as a share of what it was before (0.12 is 12 % more); `undefined` where there was nothing before. */
export const changeOf = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before;
