/** Costs and book values of machines, fleets and clients. They equal the figures on the page of each machine. */
import { type SQL, sql } from 'drizzle-orm';
import { QueryContext } from '../../access/entityModel';
import { matchWhere } from '../../crud/query/selectStatements';
import { countedDaysSql } from '../../telemetry/timeline/days';
import { bookValueOfManySql } from '../machines/bookValue';
import { levelSumsSql, type ReportLevelSql } from './levelSumsSql';
import type { ReportContext, ReportRequest } from './reportRequest';
import { reportQuery, scopeJoinSql } from './scopeJoinSql';

const levels: readonly ReportLevelSql[] = [
  { level: 'client', id: sql`client_id`, name: sql`client` },
  { level: 'fleet', id: sql`fleet_id`, name: sql`fleet` },
  { level: 'machine', id: sql`id`, name: sql`serial_number` },
];

export function costsSql(request: ReportRequest, { model, caller }: ReportContext): SQL {
  const query = reportQuery(request, {}, { is_dummy: 'false' });
  const bookValueAt = (day: SQL) => bookValueOfManySql(sql.raw('m'), day);
  const from = sql`(
    select m.id, m.serial_number, coalesce(t.name, m.custom_type) as type, f.id as fleet_id, f.name as fleet,
    c.id as client_id, c.name as client, m.price,
      ${bookValueAt(sql`${request.to}::date`)} as book_value, coalesce(${bookValueAt(sql`${request.from}::date`)} -
      ${bookValueAt(sql`${request.to}::date + 1`)}, 0) as depreciation,
      coalesce(e.cost, 0) as service, coalesce(d.cleaning, 0) as cleaning, coalesce(d.area_m2, 0) as area_m2
    from machines m left join types t on t.id = m.type_id join fleets own on own.id = m.fleet_id
    ${scopeJoinSql(model, 'fleets', { caller, as: 'f', id: sql`m.fleet_id` })}
    ${scopeJoinSql(model, 'clients', { caller, as: 'c', id: sql`own.client_id` })}
    left join (
      select machine_id, sum(cost) as cost from service_entries where deleted_at is null
      and date between ${request.from}::date and ${request.to}::date group by 1
    ) e on e.machine_id = m.id
    left join (
      select machine_id, sum(cleaning) as cleaning, sum(area_m2) as area_m2 from ${countedDaysSql} d
      where day between ${request.from}::date and ${request.to}::date group by 1
    ) d on d.machine_id = m.id
    where ${matchWhere({ entity: model.require('machines'), caller, query }, new QueryContext())}) of_machine`;
  const cost = sql`sum(depreciation + service)`;
  const values = (isSingle: SQL): Record<string, SQL> => ({
    type: sql`case when ${isSingle} then min(type) end`,
    count: sql`case when not ${isSingle} then count(*)::int end`,
    price: sql`sum(price)::text`,
    book_value: sql`sum(book_value)::text`,
    depreciation: sql`sum(depreciation)::text`,
    service: sql`sum(service)::text`,
    cost: sql`${cost}::text`,
    cleaning: sql`coalesce(sum(cleaning), 0)::float8`,
    area_m2: sql`round(coalesce(sum(area_m2), 0)::numeric, 1)::float8`,
    per_hour: sql`case when sum(cleaning) > 0 then round(${cost} * 3600 / sum(cleaning), 2)::text end`,
    per_m2: sql`case when round(sum(area_m2)::numeric, 1) > 0 then round(${cost} / round(sum(area_m2)::numeric, 1),
      4)::text end`,
  });
  return levelSumsSql({ levels, by: request.by, values, from, range: request.range });
}
