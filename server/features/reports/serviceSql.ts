/** Service report: machines due for service, with location, contact and reason; overdue machines come first. */
import { type SQL, sql } from 'drizzle-orm';
import type { ReportLine } from '../../../schema/features/reports';
import { QueryContext } from '../../access/entityModel';
import { matchWhere } from '../../crud/query/selectStatements';
import { manualDueSentence, planSentence } from '../service/planSentence';
import { nextByMachine, readPlanForecasts } from '../service/refreshDue';
import { levelSumsSql, type ReportLevelSql } from './levelSumsSql';
import type { ReportContext, ReportRequest } from './reportRequest';
import { reportQuery, scopeJoinSql } from './scopeJoinSql';

const levels: readonly ReportLevelSql[] = [
  { level: 'urgency', id: sql`urgency`, name: sql`urgency`, order: sql`is_due` },
  { level: 'machine', id: sql`id`, name: sql`serial_number`, order: sql`due` },
];

/**
 * SQL: lines of the report, without dummies and retired machines, which need no service. `request.from` must be today.
 */
export function serviceSql(request: ReportRequest, { model, caller }: ReportContext): SQL {
  const query = reportQuery(request, {}, { is_dummy: 'false', stock_state: 'in_stock,deployed,in_repair' });
  const contactSql = (row: string) =>
    sql.raw(`nullif(concat_ws(', ', ${row}.contact_name, ${row}.contact_phone, ${row}.contact_email), '')`);
  const from = sql`(
    select m.id, m.serial_number, coalesce(t.name, m.custom_type) as type, c.name as client, m.next_service_due as due,
    m.total_maintenance_cost as maintenance_cost,
      nullif(concat_ws(', ', l.name, nullif(concat_ws(' ', l.address, l.postal_code, l.city), '')), '') as location,
      coalesce(${contactSql('l')}, ${contactSql('c')}) as contact,
      m.next_service_due >= ${request.from}::date as is_due, case when m.next_service_due < ${request.from}::date then
      'overdue' else 'due' end as urgency
    from machines m left join types t on t.id = m.type_id join fleets own on own.id = m.fleet_id
    ${scopeJoinSql(model, 'locations', { caller, as: 'l', id: sql`m.location_id` })}
    ${scopeJoinSql(model, 'clients', { caller, as: 'c', id: sql`own.client_id` })}
    where m.next_service_due <= ${request.to}::date
    and ${matchWhere({ entity: model.require('machines'), caller, query }, new QueryContext())}) of_machine`;
  const singleValueSql = (isSingle: SQL, value: SQL) => sql`case when ${isSingle} then min(${value}) end`;
  const values = (isSingle: SQL): Record<string, SQL> => ({
    count: sql`case when not ${isSingle} then count(*)::int end`,
    type: singleValueSql(isSingle, sql`type`),
    client: singleValueSql(isSingle, sql`client`),
    location: singleValueSql(isSingle, sql`location`),
    contact: singleValueSql(isSingle, sql`contact`),
    due: singleValueSql(isSingle, sql`due`),
    days_left: sql`case when ${isSingle} then min(due) - ${request.from}::date end`,
    maintenance_cost: sql`sum(maintenance_cost)::text`,
  });
  return levelSumsSql({ levels, by: request.by, values, from, range: request.range });
}

/** Adds to each machine's line the plan that is due next, and why it is due, in the reader's language. */
export async function addServicePlans(lines: ReportLine[], { db, caller, now }: ReportContext): Promise<void> {
  const ids = lines.flatMap(({ level, id }) => (level === 'machine' && id !== null ? [id] : []));
  const nextPlans = nextByMachine(ids.length > 0 ? await readPlanForecasts(db, ids, now) : []);
  const today = now.toISOString().slice(0, 10);
  for (const line of lines) {
    const plan = line.id === null ? undefined : nextPlans.get(line.id);
    line.plan = plan?.name ?? null;
    line.hours_left = plan && plan.hours !== null ? Math.floor((plan.hours * 3600 - plan.used) / 3600) : null;
    line.forecast =
      line.level !== 'machine'
        ? null
        : plan
          ? planSentence(caller.language, plan)
          : manualDueSentence(caller.language, String(line.due), today);
  }
}
