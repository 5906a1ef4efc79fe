/** Hooks of service plans: they refresh the due dates of the affected machines. */
import { type SQL, sql } from 'drizzle-orm';
import type { EntityHooks } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { refreshDue } from './refreshDue';
import { publishMachineFigures } from './serviceEntryHooks';

const planShape = {
  machine_id: pg.integer.nullable,
  type_id: pg.integer.nullable,
};
type Plan = RowOf<typeof planShape>;

const machinesWhere = ({ machine_id, type_id }: Plan): SQL =>
  machine_id === null ? sql`m.type_id = ${type_id}` : sql`m.id = ${machine_id}`;

async function refresh(tx: Queries, plans: readonly Plan[], now: Date): Promise<void> {
  for (const plan of plans) {
    // The lock serialises concurrent changes of plans.
    const rows = await tx.select(
      { id: pg.integer },
      sql`select m.id from machines m where ${machinesWhere(plan)} and m.deleted_at is null order by m.id for no key
        update`,
    );
    await refreshDue(
      tx,
      rows.map(({ id }) => id),
      now,
    );
  }
}

export const servicePlanHooks: EntityHooks = {
  async before({ values, current, fail }) {
    for (const field of ['machine_id', 'type_id'] as const)
      if (current && values[field] !== undefined) fail(field, { key: 'prohibited' });
    if (!current && typeof values.machine_id === 'number' && typeof values.type_id === 'number')
      fail('type_id', { text: 'machine_or_type' });
  },

  async after({ tx, services, id }) {
    const plan = await tx.selectOne(planShape, sql`select machine_id, type_id from service_plans where id = ${id}`);
    if (plan) await refresh(tx, [plan], services.now());
  },

  async afterTrash({ tx, services, rows }) {
    await refresh(tx, rows as unknown as Plan[], services.now());
  },

  async afterCommit({ services, id }) {
    const plan = await services.db.selectOne(
      planShape,
      sql`select machine_id, type_id from service_plans where id = ${id}`,
    );
    if (plan) await publishMachineFigures(services, machinesWhere(plan));
  },
};
