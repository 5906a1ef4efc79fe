/**
 * `GET /dashboard`: the caller's figures, each equal to the count of the list behind its link
 * (schema/features/dashboard.ts).
 */
import { sql } from 'drizzle-orm';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import type { DashboardFigures } from '../../../schema/endpoints/dashboard';
import {
  attentionList,
  counterList,
  counters,
  type FilteredList,
  missedDay,
  stateList,
  stateOrder,
} from '../../../schema/features/dashboard';
import { QueryContext } from '../../access/entityModel';
import { isLinked } from '../../access/isLinked';
import { type Caller, hasPermission } from '../../context/caller';
import type { Routes, Services } from '../../context/services';
import { matchWhere } from '../../crud/query/selectStatements';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { timeZoneSql } from '../../telemetry/timeline/days';
import { fleetSumsWhere } from '../locations/fleetSums';
import { missedSitesSql } from '../locations/siteDays';
import { countFilteredList } from './countFilteredList';
import { workDaysSql } from './fleetWork';

export const dashboardRoutes: Routes = async (app) => {
  serve(app, 'GET /dashboard', async ({ services }, { caller }) => {
    const now = services.now();
    const today = now.toISOString().slice(0, 10);
    const countList = (list: FilteredList) => countFilteredList(services, caller, list);
    const [counts, states, alerts, silentMachines, service_due, missed_cleaning, work] = await Promise.all([
      Promise.all(counters.map(async (counter) => [counter, await countList(counterList(counter, today))])),
      readStates(services, caller, countList),
      countList(attentionList('alerts', now)),
      countList(attentionList('silent', now)),
      countList(attentionList('service_due', now)),
      countMissedSites(services, caller, now),
      readWork(services, caller, now),
    ]);
    const attention = { alerts, silent: silentMachines, service_due, missed_cleaning };
    return {
      data: {
        ...Object.fromEntries(counts),
        states,
        attention,
        ...work,
        is_linked: isLinked(caller),
      } as DashboardFigures,
    };
  });
};

type States = DashboardFigures['states'];

/** Counts machines by state, without dummies. */
async function readStates(
  { db, model }: Services,
  caller: Caller,
  countList: (list: FilteredList) => Promise<number>,
): Promise<States> {
  const scope = hasPermission(caller, 'machines.list') ? fleetSumsWhere(model.require('machines'), caller) : sql`false`;
  if (!scope)
    return Object.fromEntries(
      await Promise.all(stateOrder.map(async (state) => [state, await countList(stateList(state))])),
    ) as States;
  const rows = await db.select(
    { status: pg.text, n: pg.integer },
    sql`select m.status, sum(m.machines)::int as n from fleet_states m where not m.is_dummy and ${scope}
      group by 1`,
  );
  const counts = new Map(rows.map(({ status, n }) => [status, n]));
  return Object.fromEntries(stateOrder.map((state) => [state, counts.get(state) ?? 0])) as States;
}

/** Counts sites whose planned cleaning was missed on the last complete day (UTC). */
async function countMissedSites({ db, model }: Services, caller: Caller, now: Date): Promise<number> {
  if (!hasPermission(caller, 'locations.list') || !hasPermission(caller, 'machines.list')) return 0;
  const sites = sql`select m.id from locations m
    where ${matchWhere({ entity: model.require('locations'), caller, query: parseListQuery('') }, new QueryContext())}`;
  const day = sql`${missedDay(now)}`;
  const nowSql = sql`${now.toISOString()}::timestamptz`;
  const missedSql = missedSitesSql({ model, caller, sites, day, present: nowSql });
  const row = await db.selectOne({ n: pg.integer }, sql`select count(*)::int as n from (${missedSql}) missed`);
  return row?.n ?? 0;
}

/** Sums the work of today, of the same day a week ago, and of the last seven days, in each location's local days. */
async function readWork(
  { db, model }: Services,
  caller: Caller,
  now: Date,
): Promise<Pick<DashboardFigures, 'work' | 'autonomy'>> {
  const [from, to] = [sql`${missedDay(now)}::date - 7`, sql`${missedDay(now)}::date + 2`];
  const sumSql = (column: string, condition: string) =>
    sql.raw(`coalesce(sum(${column}) filter (where age ${condition}), 0)::float8`);
  const sums = await db.selectOne(
    {
      cleaning: pg.double,
      area: pg.double,
      reported: pg.double,
      cleaning_before: pg.double,
      area_before: pg.double,
      reported_before: pg.double,
      robotic: pg.double,
      manual: pg.double,
    },
    sql`
    select ${sumSql('cleaning', '= 0')} as cleaning, ${sumSql('area_m2', '= 0')} as area,
      ${sumSql('cleaning', '= 7')} as cleaning_before, ${sumSql('area_m2', '= 7')} as area_before,
      ${sumSql('reported_area_m2', '= 0')} as reported, ${sumSql('reported_area_m2', '= 7')} as reported_before,
      ${sumSql('robotic', 'between 0 and 6')} as robotic, ${sumSql('manual', 'between 0 and 6')} as manual
    from (
      select (${now.toISOString()}::timestamptz at time zone ${timeZoneSql(sql`l`)})::date - m.day as age, m.cleaning,
      m.area_m2, m.reported_area_m2, m.robotic, m.manual
      from (${workDaysSql({ model, caller, from, to })}) m left join locations l on l.id = m.location_id
    ) day`,
  );
  const { cleaning = 0, area = 0, reported = 0, robotic = 0, manual = 0 } = sums ?? {};
  const { cleaning_before = 0, area_before = 0, reported_before = 0 } = sums ?? {};
  return {
    work: {
      today: { cleaning, area_m2: area, reported_area_m2: reported },
      week_ago: { cleaning: cleaning_before, area_m2: area_before, reported_area_m2: reported_before },
    },
    autonomy: { robotic, manual },
  };
}
