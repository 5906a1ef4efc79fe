import { missedDay } from '../../../schema/features/dashboard';

/**
 * Returns the first and the last day (UTC) of the period of `days` days that ends yesterday. `start` is the first day
 * of the equally long period before it.
 */
export function performancePeriod({ now, days }: { now: Date; days: number }): {
  start: string;
  from: string;
  to: string;
} {
  const to = missedDay(now);
  const daysBefore = (count: number) => new Date(Date.parse(to) - count * 86_400_000).toISOString().slice(0, 10);
  return { start: daysBefore(2 * days - 1), from: daysBefore(days - 1), to };
}
