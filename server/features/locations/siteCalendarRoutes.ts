/**
 * `GET /locations/calendar?from&to`: the sites of a list, each with its site days. With `state`, only sites that had
 * this state on `day`, by default the last day.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Hours } from '../../../schema/dsl/hours';
import { type ListQuery, parseListQuery } from '../../../schema/dsl/listQuery';
import type { EndpointInput } from '../../../schema/endpoints';
import type { SiteCalendar, SiteDay } from '../../../schema/endpoints/locations';
import { maxCalendarDays, type SiteDayState } from '../../../schema/features/calendar';
import type { Language } from '../../../schema/shared/languages';
import { clockSpans, shiftDay } from '../../../schema/shared/openSpans';
import { QueryContext } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { EntityModel, Routes } from '../../context/services';
import { matchWhere } from '../../crud/query/selectStatements';
import { printPagination } from '../../crud/read/readList';
import { collatedSql } from '../../db/core/columns';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import { apiPrefix, queryStringOf } from '../../http/http';
import { loadHolidays, resolveHolidayCode } from './holidays';
import { siteDaysSql } from './siteDays';

const dayLength = 86_400_000;

interface CalendarRequest {
  from: string;
  to: string;
  stateFilter?: { state: SiteDayState; day: string };
}

export const siteCalendarRoutes: Routes = async (app) => {
  serve(app, 'GET /locations/calendar', async ({ query: period, services }, request) => {
    const { db, env } = services;
    const { caller } = request;
    const search = queryStringOf(request);
    const query = parseListQuery(search);
    const now = services.now().toISOString();
    const nowSql = sql`${now}::timestamptz`;
    const range = parsePeriod(period, now.slice(0, 10));
    const page = await db.selectOne(
      { data: pg.json<SiteRow[]>(), total: pg.integer },
      calendarSql({ model: services.model, caller, query, range, present: nowSql }),
    );
    const { data: rows = [], total = 0 } = page ?? {};
    const data = await Promise.all(rows.map((row) => addHours(row, range, caller.language)));
    const path = `${env.publicUrl}${apiPrefix}/locations/calendar`;
    return new JsonText(`{"data":${JSON.stringify(data)},${printPagination(query, total, { search, path })}}`);
  });
};

interface SiteRow extends Omit<SiteCalendar, 'days'> {
  opening_hours: Hours | null;
  country: string | null;
  holiday_region: string | null;
  days: Omit<SiteDay, 'open' | 'holiday'>[];
}

/** Adds open spans and public holiday of each day. A span that began the day before counts until its end. */
async function addHours(
  { opening_hours: hours, country, holiday_region: region, days, ...site }: SiteRow,
  { from, to }: CalendarRequest,
  language: Language,
): Promise<SiteCalendar> {
  const code = await resolveHolidayCode(country, region);
  const holidays = await loadHolidays(code, { from: shiftDay(from, -1), to }, language);
  const openSpansOf = (day: string) =>
    (hours && clockSpans(day, hours, (date) => holidays?.has(date) ?? false)) ?? null;
  return {
    ...site,
    days: days.map((day) => ({ ...day, open: openSpansOf(day.day), holiday: holidays?.get(day.day) ?? null })),
  };
}

function calendarSql({
  model,
  caller,
  query,
  range: { from, to, stateFilter },
  present,
}: {
  model: EntityModel;
  caller: Caller;
  query: ListQuery;
  range: CalendarRequest;
  present: SQL;
}): SQL {
  const visible = sql`select m.id, m.name, m.city from locations m
    where ${matchWhere({ entity: model.require('locations'), caller, query }, new QueryContext())}`;
  const days = (sites: SQL, start: string, end: string) =>
    siteDaysSql({ model, caller, sites, from: sql`${start}`, to: sql`${end}`, present });
  const filterWhere = stateFilter
    ? sql`select visible.* from visible join (${days(sql`select id from visible`, stateFilter.day, stateFilter.day)}) d
      on d.location_id = visible.id and d.state = ${stateFilter.state}`
    : sql`select * from visible`;
  return sql`
    with visible as materialized (${visible}), filtered as materialized (${filterWhere}),
      page as materialized (select * from filtered order by ${collatedSql(sql`name`)}, id
      limit ${query.per_page}::int offset ${(query.page - 1) * query.per_page}::bigint)
    select (select count(*)::int from filtered) as total, (
      select coalesce(json_agg(json_build_object('id', page.id, 'name', page.name, 'city', page.city, 'time_zone',
      l.time_zone, 'planned_area_m2', own.planned_area_m2, 'opening_hours', l.opening_hours, 'country', k.name,
      'holiday_region', l.holiday_region, 'days',
      own.days) order by ${collatedSql(sql`page.name`)}, page.id), '[]')
      from page join locations l on l.id = page.id join fleets f on f.id = l.fleet_id
      join clients c on c.id = f.client_id
      left join countries k on k.id = coalesce(l.holiday_country_id, c.country_id) join (
        select location_id, (array_agg(planned_area_m2 order by day desc))[1] as planned_area_m2,
          json_agg(json_build_object('day', day, 'state', state, 'area_m2', round(area_m2::numeric, 1)::float8,
          'reported_area_m2', round(reported_area_m2::numeric, 1)::float8,
          'cleaning', cleaning) order by day) as days
        from (${days(sql`select id from page`, from, to)}) site_day group by 1
      ) own on own.location_id = page.id
    ) as data`;
}

/** Parses the period, both days included; by default the four weeks that end today (UTC). */
function parsePeriod(query: EndpointInput<'GET /locations/calendar'>['query'], today: string): CalendarRequest {
  const to = query.to ?? today;
  const from = query.from ?? new Date(Date.parse(to) - 27 * dayLength).toISOString().slice(0, 10);
  const days = (Date.parse(to) - Date.parse(from)) / dayLength + 1;
  if (days < 1) throw ApiError.invalidAt('to', { text: 'period_backwards' });
  if (days > maxCalendarDays)
    throw ApiError.invalidAt('from', { text: 'period_too_long', values: { days: maxCalendarDays } });
  return { from, to, ...(query.state ? { stateFilter: { state: query.state, day: query.day ?? to } } : {}) };
}
