/** Proof of cleaning by run: runs that are not superseded, per client and site, on the local day of their start. */
import { type SQL, sql } from 'drizzle-orm';
import { QueryContext } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import { matchWhere } from '../../crud/query/selectStatements';
import { dayStartSql } from '../../db/core/dayStartSql';
import { levelSumsSql, type ReportLevelSql } from './levelSumsSql';
import type { ReportContext, ReportRequest } from './reportRequest';
import { reportQuery, scopeJoinSql } from './scopeJoinSql';

const levels: readonly ReportLevelSql[] = [
  { level: 'client', id: sql`client_id`, name: sql`client` },
  { level: 'location', id: sql`location_id`, name: sql`location` },
  { level: 'run', id: sql`id`, name: sql`run`, order: sql`started_at` },
];

const hasShareWhere = sql`planned > 0 and cleaned is not null`;

/** SQL: lines of the report. */
export function runsSql(request: ReportRequest, { model, caller }: ReportContext): SQL {
  const query = reportQuery(request, { location_id: 'id' });
  const sites = sql`select m.id from locations m
    where ${matchWhere({ entity: model.require('locations'), caller, query }, new QueryContext())}`;
  const from = sql`(
    select r.id, r.started_at, to_char(r.started_at at time zone l.time_zone, 'DD.MM.YYYY HH24:MI')
      || coalesce(' · ' || nullif(r.task_name, ''), '') as run, c.id as client_id, c.name as client,
      l.id as location_id, l.name as location, machine.serial_number as machine, floor.name as floor,
      r.planned_area_m2 as planned, r.cleaned_area_m2 as cleaned, r.duration_s as duration, r.outcome, r.source,
      coalesce(jsonb_array_length(r.interruptions), 0) as interruptions
    from runs r join locations l on l.id = r.location_id join fleets f on f.id = l.fleet_id
    ${scopeJoinSql(model, 'clients', { caller, as: 'c', id: sql`f.client_id` })}
    ${scopeJoinSql(model, 'machines', { caller, as: 'machine', id: sql`r.machine_id` })}
    ${scopeJoinSql(model, 'floors', { caller, as: 'floor', id: sql`r.floor_id` })}
    where r.superseded_by is null and r.deleted_at is null and l.id in (${sites})
      and ${scopeWhere(model.require('runs'), caller, sql.raw('r'), new QueryContext('r_'))}
      and r.started_at >= ${dayStartSql(sql`${request.from}::date`, sql`l.time_zone`)}
      and r.started_at < ${dayStartSql(sql`(${request.to}::date + 1)`, sql`l.time_zone`)}) of_run`;
  const areaSql = (column: SQL) => sql`round(sum(${column})::numeric, 1)::float8`;
  const values = (isSingle: SQL): Record<string, SQL> => ({
    machine: sql`case when ${isSingle} then min(machine) end`,
    floor: sql`case when ${isSingle} then min(floor) end`,
    runs: sql`case when not ${isSingle} then count(*)::int end`,
    planned_area_m2: areaSql(sql`planned`),
    area_m2: areaSql(sql`cleaned`),
    // `least` ignores null.
    coverage: sql`case when count(*) filter (where ${hasShareWhere}) > 0 then least(100,
      trunc((100 * sum(cleaned) filter (where ${hasShareWhere})
        / sum(planned) filter (where ${hasShareWhere}))::numeric, 1)
    )::float8 end`,
    outcome: sql`case when ${isSingle} then min(outcome) end`,
    completed: sql`case when not ${isSingle} then trunc(100.0 * count(*) filter (where outcome = 'completed')
      / nullif(count(outcome), 0), 1)::float8 end`,
    interruptions: sql`sum(interruptions)::int`,
    cleaning: sql`coalesce(sum(duration), 0)::float8`,
    source: sql`case when ${isSingle} then min(source) end`,
  });
  return levelSumsSql({ levels, by: request.by, values, from, range: request.range });
}
