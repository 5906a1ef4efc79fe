/**
 * `GET /locations/{id}/opening`: whether a location is open, and when on the coming days;
 * `GET /locations/holiday_regions`: regions whose public holidays may apply.
 */
import { sql } from 'drizzle-orm';
import type { Hours } from '../../../schema/dsl/hours';
import { maxCalendarDays } from '../../../schema/features/calendar';
import { isOpen, localDay, nextChange, openSpans, shiftDay } from '../../../schema/shared/openSpans';
import { visibleIds } from '../../access/scopeWhere';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { countryCodeOf, loadHolidayRegions, loadHolidays, resolveHolidayCode } from './holidays';

const dayLength = 86_400_000;

export const openingRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, model } = services;

  serve(app, 'GET /locations/holiday_regions', async ({ query }, { caller }) => {
    const { holiday_country_id: country = null, fleet_id: fleet = null } = query;
    if (fleet !== null && (await visibleIds(db, model.require('fleets'), caller, [fleet])).length === 0)
      throw ApiError.invalidAt('fleet_id', { key: 'exists' }, 'locations');
    const row = await findCountry(db, country, fleet);
    const code = row && countryCodeOf(row.name);
    return { data: code ? await loadHolidayRegions(code, caller.language) : [] };
  });

  serve(app, 'GET /locations/{id}/opening', async ({ params: { id }, query }, { caller }) => {
    const location = await db.selectOne(
      {
        time_zone: pg.text,
        opening_hours: pg.json<Hours>().nullable,
        country: pg.text.nullable,
        region: pg.text.nullable,
      },
      sql`select l.time_zone, l.opening_hours, k.name as country,
        l.holiday_region as region from locations l join fleets f on f.id = l.fleet_id
        join clients c on c.id = f.client_id
        left join countries k on k.id = coalesce(l.holiday_country_id, c.country_id) where l.id = ${id}`,
    );
    if (!location) throw ApiError.notFound();
    const { time_zone: zone, opening_hours: hours } = location;
    const now = services.now();
    const today = localDay(now.getTime(), zone);
    const days = listDays({ from: query.from ?? today, to: query.to ?? undefined });
    const code = await resolveHolidayCode(location.country, location.region);
    const bounds = [today, ...days].sort();
    const period = { from: shiftDay(bounds[0] as string, -1), to: shiftDay(bounds.at(-1) as string, 16) };
    const holidays = await loadHolidays(code, period, caller.language);
    const options = { zone, isHoliday: (day: string) => holidays?.has(day) ?? false };
    return {
      data: {
        time_zone: zone,
        country: (holidays && code?.slice(0, 2)) ?? null,
        region: (holidays && code?.includes('-') && code) || null,
        open: (hours && isOpen(now, hours, options)) ?? null,
        changes_at: (hours && nextChange(now, hours, options)?.toISOString()) ?? null,
        days: days.map((day) => ({
          day,
          holiday: holidays?.get(day) ?? null,
          spans: (hours && openSpans(day, hours, options)?.map(printSpan)) ?? null,
        })),
      },
    };
  });
};

/** Finds the country by its id; without an id, the country of the fleet's client. */
const findCountry = (db: Queries, country: number | null, fleet: number | null) =>
  db.selectOne(
    { name: pg.text },
    sql`select k.name from countries k where k.id = coalesce(${country}::int,
      (select c.country_id from fleets f join clients c on c.id = f.client_id where f.id = ${fleet}::int))`,
  );

const printSpan = ({ from, to }: { from: number; to: number }) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

/** Lists the days of a period, both ends included; by default the seven days from `from` on. */
function listDays({ from, to = shiftDay(from, 6) }: { from: string; to: string | undefined }): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / dayLength + 1;
  if (count < 1) throw ApiError.invalidAt('to', { text: 'period_backwards' });
  if (count > maxCalendarDays)
    throw ApiError.invalidAt('from', { text: 'period_too_long', values: { days: maxCalendarDays } });
  return Array.from({ length: count }, (_, index) => shiftDay(from, index));
}
