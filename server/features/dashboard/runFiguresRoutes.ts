/** `GET /dashboard/runs`: how the runs of a period ended, compared with the period before it. */
import { type SQL, sql } from 'drizzle-orm';
import type { FleetRunFigures, RunAmounts } from '../../../schema/endpoints/dashboard';
import { runResults } from '../../../schema/features/dashboard';
import { QueryContext } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import { type Caller, hasPermission } from '../../context/caller';
import type { EntityModel, Routes } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { countedRunWhere, runAmounts, runAmountsSql } from '../../db/core/runAmounts';
import { serve } from '../../endpoints/serve';
import { fleetSumsWhere, runDaysSql } from '../locations/fleetSums';
import { performancePeriod } from './performancePeriod';
import { siteLabelSql } from './siteLabelSql';

/** Maximum ranked sites, and minimum runs of each, because a single aborted run says little. */
const rankLimits = { sites: 5, runs: 3 } as const;

export const runFiguresRoutes: Routes = async (app) => {
  serve(app, 'GET /dashboard/runs', async ({ query, services }, { caller }) => {
    const { db, model } = services;
    const { start, from, to } = performancePeriod({ now: services.now(), days: Number(query.days) });
    const row = await db.selectOne(figuresShape, figuresSql({ model, caller, start, from, to }));
    return { data: { from, to, ...(row as NonNullable<typeof row>) } satisfies FleetRunFigures };
  });
};

const figuresShape = {
  days: pg.json<FleetRunFigures['days']>(),
  sum: pg.json<RunAmounts>(),
  before: pg.json<RunAmounts>(),
  worst: pg.json<FleetRunFigures['worst']>(),
};

interface FiguresRequest {
  model: EntityModel;
  caller: Caller;
  /** First day (UTC) of the period before. */
  start: string;
  /** First and last day (UTC) of the period. */
  from: string;
  to: string;
}

/** SQL: rows to be added up: sums by day and location or, for callers linked to single machines, one row per run. */
function runRowsSql({ model, caller, start, to }: FiguresRequest): SQL {
  const runs = model.require('runs');
  const scope = fleetSumsWhere(runs, caller);
  const [first, last] = [sql`${start}::date`, sql`${to}::date`];
  return scope
    ? sql`select m.* from (${runDaysSql(first, last)}) m where ${scope}`
    : sql`select ${sql.raw(runAmountsSql())} from runs r
        where ${scopeWhere(runs, caller, sql`r`, new QueryContext(), true)} and ${sql.raw(countedRunWhere)}
          and r.started_at >= ${start}::date::timestamp at time zone 'UTC'
          and r.started_at < (${to}::date + 1)::timestamp at time zone 'UTC'`;
}

/**
 * SQL: one row with all figures. Reads the rows twice instead of materializing them: once for all amounts by day, which
 * are few groups, and once by site for what the ranking needs.
 */
function figuresSql(request: FiguresRequest): SQL {
  const { model, caller, from, to } = request;
  const sums = sql.raw(runAmounts.map((name) => `coalesce(sum(${name}), 0)::float8 as ${name}`).join(', '));
  const knownSum = sql.raw(runResults.filter((result) => result !== 'unknown').join(' + '));
  const locations = hasPermission(caller, 'locations.list')
    ? scopeWhere(model.require('locations'), caller, sql`m`, new QueryContext(), true)
    : sql`false`;
  return sql`
    with run as not materialized (${runRowsSql(request)}),
    per_day as materialized (select day, ${sums} from run group by 1),
    site as (
      select location_id as id, sum(completed)::float8 as completed, sum(${knownSum})::float8 as runs
      from run where day >= ${from}::date group by 1
    ), place as (
      select m.id, ${siteLabelSql} as name from locations m where ${locations} and m.deleted_at is null
    ), worst as (
      select id, name, completed / runs as share, runs
      from site join place using (id)
      where runs >= ${rankLimits.runs}::int and completed < runs
      order by 3, 4 desc, 1 limit ${rankLimits.sites}::int
    )
    select
      (select json_agg(json_build_object('day', d::date, ${sql.raw(
        runResults.map((name) => `'${name}', coalesce(${name}, 0)`).join(', '),
      )}) order by d)
        from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') d
        left join per_day on per_day.day = d::date) as days,
      (select row_to_json(s) from (select ${sums} from per_day where day >= ${from}::date) s) as sum,
      (select row_to_json(s) from (select ${sums} from per_day where day < ${from}::date) s) as before,
      (select coalesce(json_agg(worst), '[]') from worst) as worst`;
}
