/** `GET /dashboard/performance`: what the caller's machines did in a period, compared with the period before it. */
import { type SQL, sql } from 'drizzle-orm';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import type { ComparedRow, FleetPerformance, SiteShare } from '../../../schema/endpoints/dashboard';
import { plannedDays } from '../../../schema/features/calendar';
import { QueryContext } from '../../access/entityModel';
import { type Caller, hasPermission } from '../../context/caller';
import type { EntityModel, Routes } from '../../context/services';
import { matchWhere } from '../../crud/query/selectStatements';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { plannedSql } from '../locations/siteDays';
import { countedMachinesWhere, typeWorkSql, workDaysSql } from './fleetWork';
import { performancePeriod } from './performancePeriod';
import { siteLabelSql } from './siteLabelSql';

interface PerformanceRequest {
  model: EntityModel;
  caller: Caller;
  now: Date;
  /** Length of the period, which ends on the last complete day (UTC). */
  days: number;
}

/** Maximum sites on the map. */
const maxSites = 1000;
/** Maximum rows of the comparison, and of each end of the ranking. */
const maxComparedRows = 10;
const maxRankedSites = 3;

export const performanceRoutes: Routes = async (app) => {
  serve(app, 'GET /dashboard/performance', async ({ query, services }, { caller }) => {
    const { db, model } = services;
    const request = { model, caller, now: services.now(), days: Number(query.days) };
    const [work, types, today, isIncomplete] = await Promise.all([
      db.selectOne(workShape, workSql(request)),
      hasPermission(caller, 'types.list') ? db.select(typeShape, typesSql(request)) : [],
      db.select(siteShape, todaySql(request)),
      services.demo?.isHistoryLoading(db) ?? false,
    ]);
    const { from, to } = performancePeriod(request);
    const { days, before, best, worst, compared } = work as NonNullable<typeof work>;
    const data: FleetPerformance = {
      from,
      to,
      is_incomplete: isIncomplete,
      days,
      before,
      types,
      today,
      best,
      worst,
      compared: { by: comparedBy(caller), rows: compared },
    };
    return { data };
  });
};

/** Returns what the caller compares: clients if several may be in scope, otherwise sites. */
const comparedBy = (caller: Caller): FleetPerformance['compared']['by'] =>
  hasPermission(caller, 'clients.list') &&
  (['all', 'country', 'partner'] as const).some((kind) => caller.scopes.has(kind))
    ? 'clients'
    : 'locations';

/** SQL: the caller's sites, each with the area to be cleaned on a day of its plan, by its current settings. */
function sitesSql({ model, caller }: Pick<PerformanceRequest, 'model' | 'caller'>): SQL {
  const visibleWhere = hasPermission(caller, 'locations.list')
    ? matchWhere({ entity: model.require('locations'), caller, query: parseListQuery('') }, new QueryContext())
    : sql`false`;
  return sql`
    select m.id, ${siteLabelSql} as name, m.fleet_id, m.latitude, m.longitude, m.time_zone, m.cleaning_plan,
      coalesce(m.planned_area_m2, deployed.area) as planned
    from locations m left join (
      select m.location_id, sum(m.working_radius_m2) as area from machines m
      where ${countedMachinesWhere({ model, caller })} and m.stock_state = 'deployed' group by 1
    ) deployed on deployed.location_id = m.id
    where ${visibleWhere}`;
}

const clientsSql = ({ model, caller }: PerformanceRequest): SQL => sql`select m.id, m.name from clients m
  where ${matchWhere({ entity: model.require('clients'), caller, query: parseListQuery('') }, new QueryContext())}`;

const workShape = {
  days: pg.json<FleetPerformance['days']>(),
  before: pg.json<FleetPerformance['before']>(),
  best: pg.json<SiteShare[]>(),
  worst: pg.json<SiteShare[]>(),
  compared: pg.json<ComparedRow[]>(),
};

/** SQL: one row with everything that follows from daily work and plans. */
function workSql(request: PerformanceRequest): SQL {
  const { model, caller } = request;
  const { start, from, to } = performancePeriod(request);
  const [first, last] = [sql`${start}::date`, sql`${to}::date`];
  const isInPeriod = sql`day >= ${from}::date`;
  const sumSql = (column: string, condition: SQL) =>
    sql`coalesce(sum(${sql.raw(column)}) filter (where ${condition}), 0)::float8`;
  const areaSql = (column: string, condition: SQL) =>
    sql`round(coalesce(sum(${sql.raw(column)}) filter (where ${condition}), 0)::numeric, 1)::float8`;
  const shareSql = (condition: SQL) =>
    sql`(sum(done) filter (where ${condition}) / nullif(sum(planned) filter (where ${condition}), 0))::float8`;
  const comparedLevel = comparedBy(caller);
  const groupSql = comparedLevel === 'clients' ? sql`f.client_id` : sql`d.location_id`;
  const namesSql = comparedLevel === 'clients' ? clientsSql(request) : sql`select id, name from site`;
  return sql`
    with work as materialized (
      select w.fleet_id, w.location_id, w.day, sum(w.cleaning) as cleaning, sum(w.robotic) as robotic,
        sum(w.manual) as manual, sum(w.area_m2) as area, sum(w.reported_area_m2) as reported
      from (${workDaysSql({ model, caller, from: first, to: last })}) w group by 1, 2, 3
    ), site as materialized (${sitesSql(request)}),
    day as (select d::date as day from generate_series(${first}::timestamp, ${last}::timestamp, interval '1 day') d),
    plan as materialized (
      select p.cleaning_plan, d.day from day d
      join (values ${sql.join(
        Object.keys(plannedDays).map((name) => sql`(${name})`),
        sql`, `,
      )}) p(cleaning_plan)
      on ${plannedSql(sql`p.cleaning_plan`, sql`d.day`)}
    ), planned as (
      select p.day, sum(s.planned) as area from plan p join (
        select cleaning_plan, sum(planned) as planned from site group by 1
      ) s using (cleaning_plan) group by 1
    ), per_day as (
      select d.day, coalesce(w.cleaning, 0) as cleaning, coalesce(w.robotic, 0) as robotic,
        coalesce(w.manual, 0) as manual, coalesce(w.area, 0) as area, coalesce(w.reported, 0) as reported,
        coalesce(planned.area, 0) as planned
      from day d left join planned using (day) left join (
        select day, sum(cleaning) as cleaning, sum(robotic) as robotic, sum(manual) as manual, sum(area) as area,
          sum(reported) as reported from work group by 1
      ) w using (day)
    ), done as materialized (
      select s.id as location_id, s.fleet_id, p.day, s.planned, least(s.planned, coalesce(w.area, 0)) as done
      from site s join plan p using (cleaning_plan) left join (
        select location_id, day, sum(area) as area from work group by 1, 2
      ) w on w.location_id = s.id and w.day = p.day
      where s.planned > 0
    ), ranked as materialized (
      select s.id, s.name, x.share from site s join (
        select location_id, ${shareSql(isInPeriod)} as share from done group by 1
      ) x on x.location_id = s.id where x.share is not null
    ), compared as (
      select x.*, y.share from (
        select ${groupSql} as id, ${areaSql('area', isInPeriod)} as area_m2,
          ${areaSql('reported', isInPeriod)} as reported_area_m2, ${areaSql('area', sql`not ${isInPeriod}`)} as
            area_before_m2,
          ${sumSql('robotic', isInPeriod)} as robotic, ${sumSql('manual', isInPeriod)} as manual
        from work d join fleets f on f.id = d.fleet_id group by 1
      ) x left join (
        select ${groupSql} as id, ${shareSql(isInPeriod)} as share from done d join fleets f on f.id = d.fleet_id
        group by 1
      ) y using (id)
    ), top as materialized (
      select c.*, n.name from compared c join (${namesSql}) n using (id) order by share nulls last, area_m2 desc
      limit ${maxComparedRows}::int
    ), areas as materialized (
      select ${groupSql} as id, day, sum(area) as area from work d join fleets f on f.id = d.fleet_id
      where ${isInPeriod} and ${groupSql} in (select id from top) group by 1, 2
    ), compared_row as (
      select top.*, (
        select json_agg(round(coalesce(areas.area, 0))::float8 order by day.day)
        from day left join areas on areas.day = day.day and areas.id = top.id where day.day >= ${from}::date
      ) as trend from top
    )
    select
      (select json_agg(json_build_object('day', day, 'cleaning', cleaning::float8, 'robotic', robotic::float8, 'manual',
        manual::float8, 'area_m2', round(area::numeric, 1)::float8, 'reported_area_m2',
        round(reported::numeric, 1)::float8, 'planned_area_m2',
        round(planned::numeric, 1)::float8) order by day) from per_day where ${isInPeriod}) as days,
      (select json_build_object('cleaning', ${sumSql('cleaning', sql`true`)},
        'robotic', ${sumSql('robotic', sql`true`)}, 'manual', ${sumSql('manual', sql`true`)},
        'area_m2', ${areaSql('area', sql`true`)}, 'reported_area_m2', ${areaSql('reported', sql`true`)},
        'planned_area_m2', ${areaSql('planned', sql`true`)}) from per_day where not ${isInPeriod}) as before,
      ${rankingSql('share desc')} as best, ${rankingSql('share')} as worst,
      (select coalesce(json_agg(compared_row order by share nulls last, area_m2 desc), '[]') from compared_row) as
        compared`;
}

const rankingSql = (order: string) => sql`(select coalesce(json_agg(r), '[]') from (
  select id, name, share from ranked order by ${sql.raw(order)}, id limit ${maxRankedSites}::int) r)`;

const typeShape = {
  id: pg.integer,
  name: pg.text,
  optimal_cleaning_time: pg.integer.nullable,
  machines: pg.integer,
  cleaning: pg.double,
  cleaning_before: pg.double,
};

/** SQL: the machine types in use, with the mean cleaning time of a machine and day. */
function typesSql(request: PerformanceRequest): SQL {
  const { start, from, to } = performancePeriod(request);
  const meanSql = (condition: SQL) =>
    sql`coalesce(sum(w.cleaning) filter (where w.day ${condition} ${from}::date), 0)::float8 / ${request.days}::int`;
  return sql`
    select t.id, t.name, t.optimal_cleaning_time, n.machines, coalesce(w.cleaning, 0) / n.machines as cleaning,
      coalesce(w.cleaning_before, 0) / n.machines as cleaning_before
    from (
      select m.type_id, count(*)::int as machines from machines m
      where ${countedMachinesWhere(request)} and m.stock_state = 'deployed' group by 1
    ) n join types t on t.id = n.type_id left join (
      select w.type_id, ${meanSql(sql`>=`)} as cleaning, ${meanSql(sql`<`)} as cleaning_before
      from (${typeWorkSql({ ...request, from: sql`${start}::date`, to: sql`${to}::date` })}) w group by 1
    ) w on w.type_id = n.type_id
    order by n.machines desc, t.id limit ${maxComparedRows}::int`;
}

const siteShape = {
  id: pg.integer,
  name: pg.text,
  latitude: pg.double,
  longitude: pg.double,
  share: pg.double.nullable,
};

/** SQL: sites with a position and their progress on today's plan, the lowest first. */
function todaySql(request: PerformanceRequest): SQL {
  const { now } = request;
  const nowSql = sql`${now.toISOString()}::timestamptz`;
  const [from, to] = [sql`(${nowSql} - interval '1 day')::date`, sql`(${nowSql} + interval '1 day')::date`];
  return sql`
    with site as materialized (${sitesSql(request)})
    select s.id, s.name, s.latitude, s.longitude, case when s.planned > 0
      and ${plannedSql(sql`s.cleaning_plan`, sql`s.today`)}
      then least(1, coalesce(w.area, 0)::float8 / s.planned) end as share
    from (select *, (${nowSql} at time zone time_zone)::date as today from site) s left join (
      select location_id, day, sum(area_m2) as area from (${workDaysSql({ ...request, from, to })}) w group by 1, 2
    ) w on w.location_id = s.id and w.day = s.today
    where s.latitude is not null and s.longitude is not null
    order by share nulls last, s.id limit ${maxSites}::int`;
}
