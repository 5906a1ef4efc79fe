import { missedDay } from '../../../schema/features/dashboard';

/** Period of `days` days (UTC) that ends yesterday; `start` begins the equally long period before it. */
export function performancePeriod({ now, days }: { now: Date; days: number }): {
  start: string;
  from: string;
  to: string;
} {
  const to = missedDay(now);
  const daysBefore = (count: number) => new Date(Date.parse(to) - count * 86_400_000).toISOString().slice(0, 10);
  return { start: daysBefore(2 * days - 1), from: daysBefore(days - 1), to };
}
