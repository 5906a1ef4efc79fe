/**
 * Forecast of the next service: a number of months after the last one, or at a number of operating hours at the recent
 * pace, whichever comes first. Pure functions.
 */
import { pg, type RowOf } from '../../db/core/rowShape';

/** Intervals of a plan; at least one of the two is set. */
export const intervalShape = {
  months: pg.integer.nullable,
  hours: pg.integer.nullable,
};
export type Interval = RowOf<typeof intervalShape>;

export const factsShape = {
  /** Day from which plans count. */
  since: pg.text,
  /** Operating seconds since that day. */
  used: pg.double,
  /** Operating seconds per day, averaged over the last 30 days. */
  perDay: pg.double,
  today: pg.text,
};
/** Figures of a machine that forecasts depend on. Days are `YYYY-MM-DD`. */
export type ForecastFacts = RowOf<typeof factsShape>;

export interface Forecast {
  /** `null` if the plan counts hours and the machine does not run. */
  due: string | null;
  by: 'months' | 'hours';
}

/** Maximum days between today and a forecast by hours, in both directions: ten years. */
export const farthestDays = 3650;
const dayLength = 86_400_000;
const noDueDate = '9999-12-31';

/**
 * Returns the earlier of both days. A plan without hours left was due yesterday at the latest, so the machine is
 * overdue.
 */
export function forecastOf({ months, hours }: Interval, { since, used, perDay, today }: ForecastFacts): Forecast {
  const byMonths = months === null ? undefined : addMonths(since, months);
  const byHours = hours === null ? undefined : dayOfUse({ remainingSeconds: hours * 3600 - used, perDay, today });
  if (byMonths !== undefined && !(byHours && byHours < byMonths)) return { due: byMonths, by: 'months' };
  return { due: byHours ?? null, by: 'hours' };
}

/** Returns the earliest forecast. Forecasts without a day come last. */
export function earliestOf<F extends Forecast>(forecasts: readonly F[]): F | undefined {
  return forecasts.reduce<F | undefined>(
    (first, next) => (first && (first.due ?? noDueDate) <= (next.due ?? noDueDate) ? first : next),
    undefined,
  );
}

function dayOfUse({
  remainingSeconds,
  perDay,
  today,
}: {
  remainingSeconds: number;
  perDay: number;
  today: string;
}): string | undefined {
  if (remainingSeconds <= 0)
    return addDays(
      today,
      -Math.min(farthestDays, Math.max(1, perDay > 0 ? Math.floor(-remainingSeconds / perDay) : 1)),
    );
  return perDay > 0 ? addDays(today, Math.min(farthestDays, Math.ceil(remainingSeconds / perDay))) : undefined;
}

/** Adds months like PostgreSQL's intervals: the same day of the later month, or that month's last day. */
export function addMonths(from: string, months: number): string {
  const [year = 0, month = 1, date = 1] = from.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0));
  return new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(date, last.getUTCDate())))
    .toISOString()
    .slice(0, 10);
}

const addDays = (from: string, days: number): string =>
  new Date(Date.parse(from) + days * dayLength).toISOString().slice(0, 10);
