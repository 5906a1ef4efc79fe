/**
 * Proof of cleaning: days and areas planned and cleaned per client, site and day, with the machines that were there
 * (schema/features/calendar.ts).
 */
import { type SQL, sql } from 'drizzle-orm';
import { maxNamedMachines, type ReportLine } from '../../../schema/features/reports';
import { QueryContext } from '../../access/entityModel';
import { matchWhere } from '../../crud/query/selectStatements';
import { pg } from '../../db/core/rowShape';
import { type SiteMachinesRequest, siteDaysSql, siteMachinesSql } from '../locations/siteDays';
import { levelSumsSql, type ReportLevelSql } from './levelSumsSql';
import type { FinishLines, ReportContext, ReportRequest } from './reportRequest';
import { reportQuery, scopeJoinSql } from './scopeJoinSql';

const levels: readonly ReportLevelSql[] = [
  { level: 'client', id: sql`client_id`, name: sql`client` },
  { level: 'location', id: sql`location_id`, name: sql`location` },
  { level: 'day', id: sql`day`, name: sql`day`, order: sql`day` },
];

/** Separator of names within a text; part of no serial number. */
const separator = '\u001f';

/** SQL: lines of the report. */
export function cleaningSql(request: ReportRequest, context: ReportContext): SQL {
  const nowSql = sql`${context.now.toISOString()}::timestamptz`;
  const daysSql = siteDaysSql({ ...siteMachinesOf(request, context), present: nowSql });
  const judgedWhere = sql`planned and state in ('cleaned', 'partly', 'missed')`;
  const countSql = (condition: SQL) => sql`(count(*) filter (where ${condition}))::int`;
  const areaSql = (condition: SQL) =>
    sql`round(coalesce(sum(planned_area_m2) filter (where ${condition}), 0)::numeric, 1)::float8`;
  const from = sql`(
    select c.id as client_id, c.name as client, l.id as location_id, l.name as location, d.day, d.state, d.planned,
    d.planned_area_m2, d.area_m2, d.reported_area_m2, d.cleaning
    from (${daysSql}) d ${placeJoinsSql(sql`d.location_id`, context)}
    where d.planned or d.cleaning > 0 or d.area_m2 > 0) site_day`;
  const values = (isSingle: SQL): Record<string, SQL> => ({
    result: sql`case when ${isSingle} then min(state) end`,
    planned_days: countSql(judgedWhere),
    cleaned_days: countSql(sql`planned and state = 'cleaned'`),
    partly_days: countSql(sql`planned and state = 'partly'`),
    missed_days: countSql(sql`planned and state = 'missed'`),
    extra_days: countSql(sql`not planned and state = 'cleaned'`),
    // Truncated instead of rounded, so that 100 % means that everything was done.
    fulfilment: sql`trunc(100.0 * ${countSql(sql`planned and state = 'cleaned'`)} / nullif(${countSql(judgedWhere)}, 0),
      1)::float8`,
    // Future days count on their own line only, not in sums.
    planned_area_m2: sql`case when ${isSingle} then ${areaSql(sql`planned`)} else ${areaSql(judgedWhere)} end`,
    area_m2: sql`round(coalesce(sum(area_m2), 0)::numeric, 1)::float8`,
    reported_area_m2: sql`round(coalesce(sum(reported_area_m2), 0)::numeric, 1)::float8`,
    cleaning: sql`coalesce(sum(cleaning), 0)::float8`,
    location_id: sql`min(location_id)`,
  });
  return levelSumsSql({ levels, by: request.by, values, from, range: request.range });
}

/**
 * Returns a function that adds to each line the machines that cleaned, distinct and sorted, and that clears the counts
 * of days on lines for one day. With more than `maxNamedMachines`, clients and the total name none, so that only the
 * machines at the sites of the lines are read.
 */
export async function prepareCleaningLines(request: ReportRequest, context: ReportContext): Promise<FinishLines> {
  const sites = siteMachinesOf(request, context);
  const readLocationRows = (at: SiteMachinesRequest) =>
    context.db.select(locationRowShape, machinesByLocationSql(at, context));
  const allLocationRows = (await hasManyMachines(sites, context)) ? undefined : await readLocationRows(sites);
  return async (lines) => {
    const locationsOf = (lineLevel: ReportLine['level']) => [
      ...new Set(lines.flatMap(({ level, location_id }) => (level === lineLevel ? [Number(location_id)] : []))),
    ];
    const [locationRows, machinesByDay] = await Promise.all([
      allLocationRows ?? readLocationRows(sitesAt(sites, locationsOf('location'))),
      readMachinesByDay(sitesAt(sites, locationsOf('day')), context),
    ]);
    const machinesOf = ({ level, id, name, location_id }: ReportLine): (string | null | undefined)[] | undefined => {
      if (level === 'day') return [machinesByDay.get(`${location_id} ${name}`)];
      if (level !== 'location' && !allLocationRows) return undefined;
      const levelColumn = level === 'client' ? 'client_id' : 'location_id';
      return (level === 'total' ? locationRows : locationRows.filter((row) => row[levelColumn] === id)).map(
        ({ machines }) => machines,
      );
    };
    for (const line of lines) {
      const names = machinesOf(line)?.flatMap((joinedNames) => joinedNames?.split(separator) ?? []);
      line.machines = names ? [...new Set(names)].sort() : null;
      if (line.level !== 'day') continue;
      for (const name of ['planned_days', 'cleaned_days', 'partly_days', 'missed_days', 'extra_days', 'fulfilment'])
        line[name] = null;
    }
  };
}

/**
 * Whether there may be more than `maxNamedMachines` machines to name: counts stays at the sites that last beyond the
 * start of the period, up to that number.
 */
async function hasManyMachines({ sites, from }: SiteMachinesRequest, { db }: ReportContext): Promise<boolean> {
  const stays = sql`select from machine_stays
    where location_id in (${sites}) and (to_at is null or to_at > ${from}::date)`;
  const row = await db.selectOne(
    { stays: pg.integer },
    sql`select count(*)::int as stays from (${stays} limit ${sql.raw(String(maxNamedMachines + 1))}) m`,
  );
  return Number(row?.stays) > maxNamedMachines;
}

/** `sites`, limited to the given locations. */
const sitesAt = (sites: SiteMachinesRequest, locations: readonly number[]): SiteMachinesRequest => ({
  ...sites,
  sites: sql`select unnest(${sql.param([...locations])}::int[])`,
});

const locationRowShape = { location_id: pg.integer, client_id: pg.integer.nullable, machines: pg.text };
const namesSql = sql`string_agg(serial_number, ${separator}) as machines`;

/** SQL: rows `(location_id, client_id, machines)`. Clients out of scope have no id. */
const machinesByLocationSql = (sites: SiteMachinesRequest, context: ReportContext): SQL => sql`
  select w.location_id, c.id as client_id, w.machines
  from (select location_id, ${namesSql} from (${siteMachinesSql(sites)}) cleaned group by 1) w
  ${placeJoinsSql(sql`w.location_id`, context)}`;

/** Reads the machines that cleaned, by `location day`. */
async function readMachinesByDay(sites: SiteMachinesRequest, { db }: ReportContext): Promise<Map<string, string>> {
  const rows = await db.select(
    { line: pg.text, machines: pg.text },
    sql`select location_id || ' ' || day as line, ${namesSql}
      from (${siteMachinesSql(sites, true)}) cleaned group by 1`,
  );
  return new Map(rows.map(({ line, machines }) => [line, machines]));
}

/** The sites and days that the report covers. */
function siteMachinesOf(request: ReportRequest, { model, caller }: ReportContext): SiteMachinesRequest {
  const query = reportQuery(request, { location_id: 'id' });
  const sites = sql`select m.id from locations m
    where ${matchWhere({ entity: model.require('locations'), caller, query }, new QueryContext())}`;
  return { model, caller, sites, from: sql`${request.from}`, to: sql`${request.to}` };
}

/** SQL: joins the location `l` with the given id, and its client `c` if the caller may see it. */
const placeJoinsSql = (id: SQL, { model, caller }: ReportContext): SQL => sql`join locations l on l.id = ${id}
  join fleets f on f.id = l.fleet_id ${scopeJoinSql(model, 'clients', { caller, as: 'c', id: sql`f.client_id` })}`;
