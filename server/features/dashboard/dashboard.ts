/**
 * `GET /dashboard`: the caller's figures, each equal to the count of the list behind its link
 * (schema/features/dashboard.ts).
 */
import { sql } from 'drizzle-orm';
import { readListQuery } from '../../../schema/dsl/query';
import type { DashboardFigures } from '../../../schema/endpoints/dashboard';
import {
  attentionProof,
  counters,
  missedDay,
  type Proof,
  proofOf,
  stateOrder,
  stateProof,
} from '../../../schema/features/dashboard';
import { QueryContext, table } from '../../access/entityModel';
import { isLinked } from '../../access/isLinked';
import { type Caller, hasPermission } from '../../context/caller';
import type { Routes, Services } from '../../context/services';
import { matchWhere } from '../../crud/query/select';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { zoneOf } from '../../telemetry/timeline/days';
import { siteDays } from '../locations/siteDays';

export const dashboardRoutes: Routes = async (app) => {
  const { services } = app;

  serve(app, 'GET /dashboard', async (_input, { caller }) => {
    const now = services.now();
    const today = now.toISOString().slice(0, 10);
    const counted = (proof: Proof) => count(services, caller, proof);
    const [people, states, alerts, silent, service_due, missed_cleaning, work] = await Promise.all([
      Promise.all(counters.map(async (counter) => [counter, await counted(proofOf(counter, today))])),
      Promise.all(stateOrder.map(async (state) => [state, await counted(stateProof(state))])),
      counted(attentionProof('alerts', now)),
      counted(attentionProof('silent', now)),
      counted(attentionProof('service_due', now)),
      missedSites(services, caller, now),
      workOf(services, caller, now),
    ]);
    const attention = { alerts, silent, service_due, missed_cleaning };
    return {
      data: {
        ...Object.fromEntries(people),
        states: Object.fromEntries(states),
        attention,
        ...work,
        is_linked: isLinked(caller),
      } as DashboardFigures,
    };
  });
};

/** Number of rows of the list; none if the caller may not list them. */
async function count({ db, model }: Services, caller: Caller, { resource, filter }: Proof): Promise<number> {
  if (!hasPermission(caller, `${resource}.list`)) return 0;
  const entity = model.require(resource);
  const query = {
    ...readListQuery(''),
    filter: Object.entries(filter).map(([path, value]) => ({ path, values: String(value).split(',') })),
  };
  const found = await db.selectOne(
    { n: pg.integer },
    sql`select count(*)::int as n from ${table(entity)} m
      where ${matchWhere({ entity, caller, query }, new QueryContext())}`,
  );
  return found?.n ?? 0;
}

/** Sites whose planned cleaning was missed on the last day that is over. */
async function missedSites({ db, model }: Services, caller: Caller, now: Date): Promise<number> {
  if (!hasPermission(caller, 'locations.list') || !hasPermission(caller, 'machines.list')) return 0;
  const sites = sql`select m.id from locations m
    where ${matchWhere({ entity: model.require('locations'), caller, query: readListQuery('') }, new QueryContext())}`;
  const day = sql`${missedDay(now)}`;
  const days = siteDays({ model, caller, sites, from: day, to: day, present: sql`${now.toISOString()}::timestamptz` });
  const found = await db.selectOne(
    { n: pg.integer },
    sql`select count(*)::int as n from (${days}) site_day where state = 'missed'`,
  );
  return found?.n ?? 0;
}

/** Work of the machines, from daily sums; days are local to each machine's location. */
async function workOf(
  { db, model }: Services,
  caller: Caller,
  now: Date,
): Promise<Pick<DashboardFigures, 'work' | 'autonomy'>> {
  const query = { ...readListQuery(''), filter: [{ path: 'is_dummy', values: ['false'] }] };
  const own = hasPermission(caller, 'machines.list')
    ? matchWhere({ entity: model.require('machines'), caller, query }, new QueryContext())
    : sql`false`;
  const days = sql`(${now.toISOString()}::timestamptz at time zone ${zoneOf(sql`l`)})::date - d.day`;
  const sum = (column: string, when: string) =>
    sql.raw(`coalesce(sum(${column}) filter (where age ${when}), 0)::float8`);
  const found = await db.selectOne(
    {
      cleaning: pg.double,
      area: pg.double,
      cleaning_before: pg.double,
      area_before: pg.double,
      robotic: pg.double,
      manual: pg.double,
    },
    sql`
    select ${sum('cleaning', '= 0')} as cleaning, ${sum('area_m2', '= 0')} as area, ${sum('cleaning', '= 7')} as
    cleaning_before, ${sum('area_m2', '= 7')} as area_before,
      ${sum('robotic', 'between 0 and 6')} as robotic, ${sum('manual', 'between 0 and 6')} as manual
    from (
      select ${days} as age, d.cleaning, d.area_m2, d.robotic, d.manual from machines m
      left join locations l on l.id = m.location_id join machine_days d on d.machine_id = m.id
      where ${own} and d.day between ${missedDay(now)}::date - 7 and ${missedDay(now)}::date + 2
    ) day`,
  );
  const { cleaning = 0, area = 0, cleaning_before = 0, area_before = 0, robotic = 0, manual = 0 } = found ?? {};
  return {
    work: { today: { cleaning, area_m2: area }, week_ago: { cleaning: cleaning_before, area_m2: area_before } },
    autonomy: { robotic, manual },
  };
}
