import { missedDay } from '../../../schema/features/dashboard';

/** `days` complete days (UTC) until yesterday, from `from` to `to`; as many before them begin on `start`. */
export function performancePeriod({ now, days }: { now: Date; days: number }): {
  start: string;
  from: string;
  to: string;
} {
  const to = missedDay(now);
  const dayBefore = (number: number) => new Date(Date.parse(to) - number * 86_400_000).toISOString().slice(0, 10);
  return { start: dayBefore(2 * days - 1), from: dayBefore(days - 1), to };
}
