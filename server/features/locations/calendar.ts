/**
 * `GET /locations/calendar?from&to`: the sites of a list, each with its days. `state` and `day` filter sites by their
 * state on that day.
 */
import { type SQL, sql } from 'drizzle-orm';
import { type ListQuery, readListQuery } from '../../../schema/dsl/query';
import type { EndpointInput } from '../../../schema/endpoints';
import { maxCalendarDays, type SiteDayState } from '../../../schema/features/calendar';
import { QueryContext } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { EntityModel, Routes } from '../../context/services';
import { matchWhere } from '../../crud/query/select';
import { pagination } from '../../crud/read/list';
import { asWords } from '../../db/core/columns';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import { apiPrefix, queryStringOf } from '../../http/http';
import { siteDays } from './siteDays';

const day = 86_400_000;

interface CalendarRequest {
  from: string;
  to: string;
  only?: { state: SiteDayState; day: string };
}

export const siteCalendarRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, env } = services;

  serve(app, 'GET /locations/calendar', async ({ query: period }, request) => {
    const { caller } = request;
    const search = queryStringOf(request);
    const query = readListQuery(search);
    const now = services.now().toISOString();
    const present = sql`${now}::timestamptz`;
    const range = periodOf(period, now.slice(0, 10));
    const found = await db.selectOne(
      { data: pg.text, total: pg.integer },
      calendarSql({ model: services.model, caller, query, range, present }),
    );
    const { data = '[]', total = 0 } = found ?? {};
    const path = `${env.publicUrl}${apiPrefix}/locations/calendar`;
    return new JsonText(`{"data":${data},${pagination(query, total, { search, path })}}`);
  });
};

function calendarSql({
  model,
  caller,
  query,
  range: { from, to, only },
  present,
}: {
  model: EntityModel;
  caller: Caller;
  query: ListQuery;
  range: CalendarRequest;
  present: SQL;
}): SQL {
  const seen = sql`select m.id, m.name, m.city from locations m
    where ${matchWhere({ entity: model.require('locations'), caller, query }, new QueryContext())}`;
  const days = (sites: SQL, start: string, end: string) =>
    siteDays({ model, caller, sites, from: sql`${start}`, to: sql`${end}`, present });
  const chosen = only
    ? sql`select seen.* from seen join (${days(sql`select id from seen`, only.day, only.day)}) d
      on d.location_id = seen.id and d.state = ${only.state}`
    : sql`select * from seen`;
  return sql`
    with seen as materialized (${seen}), chosen as materialized (${chosen}),
      page as materialized (select * from chosen order by ${asWords(sql`name`)}, id
      limit ${query.per_page}::int offset ${(query.page - 1) * query.per_page}::bigint)
    select (select count(*)::int from chosen) as total, (
      select coalesce(json_agg(json_build_object('id', page.id, 'name', page.name, 'city', page.city, 'planned_area_m2',
      own.planned_area_m2, 'days', own.days) order by ${asWords(sql`page.name`)}, page.id), '[]')
      from page join (
        select location_id, (array_agg(planned_area_m2 order by day desc))[1] as planned_area_m2,
          json_agg(json_build_object('day', day, 'state', state, 'area_m2', round(area_m2::numeric, 1)::float8,
          'cleaning', cleaning) order by day) as days
        from (${days(sql`select id from page`, from, to)}) site_day group by 1
      ) own on own.location_id = page.id
    )::text as data`;
}

/** Both days inclusive; by default the four weeks that end today. */
function periodOf(query: EndpointInput<'GET /locations/calendar'>['query'], today: string): CalendarRequest {
  const to = query.to ?? today;
  const from = query.from ?? new Date(Date.parse(to) - 27 * day).toISOString().slice(0, 10);
  const days = (Date.parse(to) - Date.parse(from)) / day + 1;
  if (days < 1) throw ApiError.invalidAt('to', { text: 'period_backwards' });
  if (days > maxCalendarDays)
    throw ApiError.invalidAt('from', { text: 'period_too_long', values: { days: maxCalendarDays } });
  return { from, to, ...(query.state ? { only: { state: query.state, day: query.day ?? to } } : {}) };
}
