/**
 * Derives last service and maintenance cost of machines from their service entries. Only machines without entries have
 * figures that were entered by hand.
 */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { refreshDue } from './refreshDue';

/**
 * Updates machines to match their service entries and plans. Values entered by hand before the first entry are kept in
 * `service_by_hand` and restored when the last entry is deleted; a cost entered by hand counts as long as no entry has
 * one. Machines stay locked until the transaction ends, so that concurrent entries are all counted.
 */
export async function refreshService(tx: Queries, ids: readonly number[], now: Date): Promise<void> {
  const machines = sql`${sql.param([...ids])}::int[]`;
  const entries = sql`(
    select machine_id, max(date) as last_service, case when count(cost) > 0 then least(sum(cost),
    9999999999.99)::numeric(12, 2) end as total_maintenance_cost
    from service_entries where machine_id = any(${machines}) and deleted_at is null group by machine_id)`;
  // Not `for update`: the foreign keys of new entries already lock the machine, so concurrent ones would deadlock.
  await tx.rows(sql`select id from machines where id = any(${machines}) order by id for no key update`);
  await tx.rows(sql`
    insert into service_by_hand (machine_id, last_service, total_maintenance_cost)
    select m.id, m.last_service, m.total_maintenance_cost from machines m
    join ${entries} e on e.machine_id = m.id on conflict do nothing`);
  await tx.rows(sql`
    update machines m set last_service = e.last_service, total_maintenance_cost = coalesce(e.total_maintenance_cost,
    hand.total_maintenance_cost)
    from ${entries} e join service_by_hand hand on hand.machine_id = e.machine_id
    where m.id = e.machine_id
      and (m.last_service, m.total_maintenance_cost) is distinct from (e.last_service,
      coalesce(e.total_maintenance_cost, hand.total_maintenance_cost))`);
  await tx.rows(sql`
    with deleted as (
      delete from service_by_hand h where machine_id = any(${machines}) and not exists (select from service_entries e
      where e.machine_id = h.machine_id and e.deleted_at is null) returning *
    )
    update machines m set last_service = deleted.last_service, total_maintenance_cost = deleted.total_maintenance_cost
    from deleted where m.id = deleted.machine_id`);
  await refreshDue(tx, ids, now);
}

/** Whether service entries or plans determine each figure of a machine, so that nobody can edit it. */
export async function hasDerivedFigures(
  tx: Queries,
  machineId: number,
): Promise<Record<'last_service' | 'total_maintenance_cost' | 'next_service_due', boolean>> {
  const derivedRow = await tx.selectOne(
    { last_service: pg.boolean, total_maintenance_cost: pg.boolean, next_service_due: pg.boolean },
    sql`
    select exists (select from service_entries where machine_id = m.id and deleted_at is null) as last_service,
      exists (select from service_entries where machine_id = m.id and deleted_at is null and cost is not null) as
      total_maintenance_cost,
      exists (select from service_plans p where (p.machine_id = m.id or p.type_id = m.type_id) and p.is_active
      and p.deleted_at is null) as next_service_due
    from machines m where m.id = ${machineId}`,
  );
  return derivedRow ?? { last_service: false, total_maintenance_cost: false, next_service_due: false };
}
