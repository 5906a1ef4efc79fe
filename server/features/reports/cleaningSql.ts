/**
 * Proof of cleaning: planned and cleaned per client, site and day, by the machines that stayed there
 * (schema/features/calendar.ts).
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ReportLine } from '../../../schema/features/reports';
import { QueryContext } from '../../access/entityModel';
import { matchWhere } from '../../crud/query/selectStatements';
import { siteDays } from '../locations/siteDays';
import { type Level, levelSumsSql } from './levelSumsSql';
import { filtered, reachJoinSql } from './reachJoinSql';
import type { ReportContext, ReportRequest } from './reportRequest';

const levels: readonly Level[] = [
  { level: 'client', id: sql`client_id`, name: sql`client` },
  { level: 'location', id: sql`location_id`, name: sql`location` },
  { level: 'day', id: sql`day`, name: sql`day`, order: sql`day` },
];

/** Separator of names within a text; no serial number contains it. */
const separator = '\u001f';

export function cleaningSql(request: ReportRequest, { model, caller, now }: ReportContext): SQL {
  const query = filtered(request, { location_id: 'id' });
  const sites = sql`select m.id from locations m
    where ${matchWhere({ entity: model.require('locations'), caller, query }, new QueryContext())}`;
  const days = siteDays({
    model,
    caller,
    sites,
    from: sql`${request.from}`,
    to: sql`${request.to}`,
    present: sql`${now.toISOString()}::timestamptz`,
    named: true,
  });
  const judgedWhere = sql`planned and state in ('cleaned', 'partly', 'missed')`;
  const count = (when: SQL) => sql`(count(*) filter (where ${when}))::int`;
  const area = (when: SQL) => sql`round(coalesce(sum(planned_area_m2) filter (where ${when}), 0)::numeric, 1)::float8`;
  const from = sql`(
    select c.id as client_id, c.name as client, l.id as location_id, l.name as location, d.day, d.state, d.planned,
    d.planned_area_m2, d.area_m2, d.cleaning,
      array_to_string(d.machines, ${separator}) as machines
    from (${days}) d join locations l on l.id = d.location_id
    join fleets f on f.id = l.fleet_id ${reachJoinSql(model, 'clients', { caller, as: 'c', id: sql`f.client_id` })}
    where d.planned or d.cleaning > 0 or d.area_m2 > 0) site_day`;
  const values = (single: SQL): Record<string, SQL> => ({
    result: sql`case when ${single} then min(state) end`,
    planned_days: count(judgedWhere),
    cleaned_days: count(sql`planned and state = 'cleaned'`),
    partly_days: count(sql`planned and state = 'partly'`),
    missed_days: count(sql`planned and state = 'missed'`),
    extra_days: count(sql`not planned and state = 'cleaned'`),
    // Truncated, not rounded: 100 % means all was done.
    fulfilment: sql`trunc(100.0 * ${count(sql`planned and state = 'cleaned'`)} / nullif(${count(judgedWhere)}, 0),
      1)::float8`,
    // Future days count for themselves only.
    planned_area_m2: sql`case when ${single} then ${area(sql`planned`)} else ${area(judgedWhere)} end`,
    area_m2: sql`round(coalesce(sum(area_m2), 0)::numeric, 1)::float8`,
    cleaning: sql`coalesce(sum(cleaning), 0)::float8`,
    machines: sql`string_agg(machines, ${separator})`,
  });
  return levelSumsSql({ levels, by: request.by, values, from, range: request.range });
}

/** Each machine once, sorted; a day counts as one. */
export function finishCleaning(lines: ReportLine[]): void {
  for (const line of lines) {
    line.machines = [...new Set(String(line.machines ?? '').split(separator))].filter(Boolean).sort();
    if (line.level !== 'day') continue;
    for (const name of ['planned_days', 'cleaned_days', 'partly_days', 'missed_days', 'extra_days', 'fulfilment'])
      line[name] = null;
  }
}
