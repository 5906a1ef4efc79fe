/** Costs and book values of machines, fleets and clients, equal to the figures on the pages of the machines. */
import { type SQL, sql } from 'drizzle-orm';
import { QueryContext } from '../../access/entityModel';
import { matchWhere } from '../../crud/query/selectStatements';
import { countedDaysSql } from '../../telemetry/timeline/days';
import { fleetDaysSql, fleetSumsWhere } from '../locations/fleetSums';
import { bookCentsTable, bookValueOfManySql, readValuationDays, type ValuationDay } from '../machines/bookValue';
import { levelSumsSql, type ReportLevelSql } from './levelSumsSql';
import type { ReportContext, ReportRequest } from './reportRequest';
import { reportQuery, scopeJoinSql } from './scopeJoinSql';

const levels: readonly ReportLevelSql[] = [
  { level: 'client', id: sql`client_id`, name: sql`client` },
  { level: 'fleet', id: sql`fleet_id`, name: sql`fleet` },
  { level: 'machine', id: sql`id`, name: sql`serial_number` },
];

/** SQL: lines of the report. */
export async function costsSql(request: ReportRequest, context: ReportContext): Promise<SQL> {
  const [from, to] = [sql`${request.from}::date`, sql`${request.to}::date`];
  const valuationDays = await readValuationDays(context.db, [to, from, sql`${to} + 1`]);
  const costSumSql = sql`sum(depreciation + service)`;
  const values = (isSingle: SQL): Record<string, SQL> => ({
    type: sql`case when ${isSingle} then min(type) end`,
    count: sql`case when not ${isSingle} then sum(machines)::int end`,
    price: sql`sum(price)::text`,
    book_value: sql`sum(book_value)::text`,
    depreciation: sql`sum(depreciation)::text`,
    service: sql`sum(service)::text`,
    cost: sql`${costSumSql}::text`,
    cleaning: sql`coalesce(sum(cleaning), 0)::float8`,
    area_m2: sql`round(coalesce(sum(area_m2), 0)::numeric, 1)::float8`,
    per_hour: sql`case when sum(cleaning) > 0 then round(${costSumSql} * 3600 / sum(cleaning), 2)::text end`,
    per_m2: sql`case when round(sum(area_m2)::numeric, 1) > 0 then
      round(${costSumSql} / round(sum(area_m2)::numeric, 1), 4)::text end`,
  });
  const groups = {
    rows: fleetsSql(request, context, valuationDays),
    members: (fleets: SQL) => machinesSql(request, context, fleets),
    size: sql`sum(machines)`,
  };
  return levelSumsSql({
    levels,
    by: request.by,
    values,
    from: machinesSql(request, context),
    groups,
    range: request.range,
  });
}

/** SQL condition on `machines m`: the report covers the machine. */
const machinesWhere = (request: ReportRequest, { model, caller }: ReportContext): SQL =>
  matchWhere(
    { entity: model.require('machines'), caller, query: reportQuery(request, {}, { is_dummy: 'false' }) },
    new QueryContext(),
  );

/** SQL condition: the day is within the period. */
const withinPeriodWhere = (day: SQL, { from, to }: ReportRequest): SQL =>
  sql`${day} between ${from}::date and ${to}::date`;

/** SQL: joins the fleet `f` and its client `c`, if the caller may see them. */
const placeJoinsSql = (
  fleetId: SQL,
  { model, caller }: ReportContext,
): SQL => sql`join fleets own on own.id = ${fleetId}
  ${scopeJoinSql(model, 'fleets', { caller, as: 'f', id: fleetId })}
  ${scopeJoinSql(model, 'clients', { caller, as: 'c', id: sql`own.client_id` })}`;
const placeColumnsSql = sql`f.id as fleet_id, f.name as fleet, c.id as client_id, c.name as client`;

/** SQL: rows per machine; with `fleets`, a query of their ids, only of their machines. */
function machinesSql(request: ReportRequest, context: ReportContext, fleets?: SQL): SQL {
  const bookValueAtSql = (day: SQL) => bookValueOfManySql(sql.raw('m'), day);
  const entries = sql`from service_entries where deleted_at is null and ${withinPeriodWhere(sql`date`, request)}`;
  const days = sql`from ${countedDaysSql} d where ${withinPeriodWhere(sql`day`, request)}`;
  const where = machinesWhere(request, context);
  // `offset 0` makes PostgreSQL select the machines before it looks up their figures.
  const source = fleets
    ? sql`(select m.* from machines m where ${where} and m.fleet_id in (${fleets}) offset 0) m`
    : sql`machines m`;
  // For some fleets the figures of each machine are looked up; for all, each table is summed once.
  const sumsSql = (columns: SQL, rows: SQL, name: SQL) =>
    fleets
      ? sql`left join lateral (select ${columns} ${rows} and machine_id = m.id) ${name} on true`
      : sql`left join (select machine_id, ${columns} ${rows} group by 1) ${name} on ${name}.machine_id = m.id`;
  return sql`(
    select m.id, m.serial_number, coalesce(t.name, m.custom_type) as type, ${placeColumnsSql}, m.price, 1 as machines,
      ${bookValueAtSql(sql`${request.to}::date`)} as book_value,
      coalesce(${bookValueAtSql(sql`${request.from}::date`)} - ${bookValueAtSql(sql`${request.to}::date + 1`)}, 0)
        as depreciation,
      coalesce(e.cost, 0) as service, coalesce(d.cleaning, 0) as cleaning, coalesce(d.area_m2, 0) as area_m2
    from ${source} left join types t on t.id = m.type_id ${placeJoinsSql(sql`m.fleet_id`, context)}
    ${sumsSql(sql`sum(cost) as cost`, entries, sql`e`)}
    ${sumsSql(sql`sum(cleaning) as cleaning, sum(area_m2) as area_m2`, days, sql`d`)}
    ${fleets ? sql`` : sql`where ${where}`}) of_machine`;
}

/** SQL: rows per fleet, the sums of its machines, with its id as `group_id`. */
function fleetsSql(request: ReportRequest, context: ReportContext, valuationDays: readonly ValuationDay[]): SQL {
  const { model, caller } = context;
  const [from, to] = [sql`${request.from}::date`, sql`${request.to}::date`];
  const where = machinesWhere(request, context);
  const valuation = bookCentsTable(valuationDays, { columns: sql`m.fleet_id`, where });
  const [atEnd, atStart, after] = valuation.cents as [SQL, SQL, SQL];
  // A saved view or a location may select a part of a fleet.
  const coversWholeFleets = request.filter.location_id === undefined && request.viewFilter === undefined;
  const sumsWhere = coversWholeFleets ? fleetSumsWhere(model.require('machines'), caller) : undefined;
  const days = sumsWhere
    ? sql`(select m.* from (${fleetDaysSql(from, to)}) m where ${sumsWhere})`
    : sql`(select m.fleet_id, d.cleaning, d.area_m2 from machines m cross join lateral (
        select cleaning, area_m2 from ${countedDaysSql} d
        where d.machine_id = m.id and ${withinPeriodWhere(sql`day`, request)} offset 0) d where ${where})`;
  return sql`(
    select own.id as group_id, ${placeColumnsSql}, null::text as type, of_fleet.machines, of_fleet.price,
      of_fleet.book_value, of_fleet.depreciation, coalesce(e.cost, 0) as service, coalesce(d.cleaning, 0) as cleaning,
      coalesce(d.area_m2, 0) as area_m2
    from (
      select fleet_id, count(*) as machines, sum(price) as price, sum(${atEnd})::bigint * 0.01 as book_value,
        coalesce(sum(${atStart} - ${after}), 0)::bigint * 0.01 as depreciation
      from ${valuation.from} group by 1
    ) of_fleet ${placeJoinsSql(sql`of_fleet.fleet_id`, context)}
    left join (
      select m.fleet_id, sum(s.cost) as cost from service_entries s join machines m on m.id = s.machine_id
      where s.deleted_at is null and ${withinPeriodWhere(sql`s.date`, request)} and ${where} group by 1
    ) e on e.fleet_id = own.id
    left join (
      select fleet_id, sum(cleaning) as cleaning, sum(area_m2)::float8 as area_m2 from ${days} day group by 1
    ) d on d.fleet_id = own.id) of_place`;
}
