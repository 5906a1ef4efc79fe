/** Slots of the shared subscriptions (`openBridge.ts`), on which the processes agree through the database. */
import { sql } from 'drizzle-orm';
import type { Database } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';

/** Slots of an installation that never set `MQTT_SLOTS`. */
const defaultSlots = 4;

const slotShape = { slot: pg.integer, is_wanted: pg.boolean, subscribed_at: pg.timestamptz.nullable };
export type SlotRow = RowOf<typeof slotShape>;

/**
 * Records the wanted slots: `count`, by default as many as before. The process that starts last decides. Slot 0, the
 * only one of brokers and earlier versions without shared subscriptions, is no longer wanted.
 */
export async function storeWantedSlots(db: Database, count: number | undefined): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.rows(sql`
      insert into mqtt_slots (slot, is_wanted) select g.slot, g.slot > 0
      from generate_series(0, coalesce(${count ?? null}::int,
        (select max(slot) from mqtt_slots where is_wanted and slot > 0), ${defaultSlots}::int)) as g(slot) order by 1
      on conflict (slot) do update set is_wanted = excluded.is_wanted`);
    if (count !== undefined)
      await tx.rows(sql`update mqtt_slots set is_wanted = false where slot > ${count}::int and is_wanted`);
  });
}

export const readSlots = (db: Database): Promise<SlotRow[]> =>
  db.select(slotShape, sql`select slot, is_wanted, subscribed_at from mqtt_slots order by slot`);

export async function markSubscribed(db: Database, slot: number): Promise<void> {
  await db.rows(sql`update mqtt_slots set subscribed_at = now() where slot = ${slot}::int and subscribed_at is null`);
}

/** Deletes a slot whose session has ended. If it is wanted again, it stays and will subscribe again. */
export async function deleteSlot(db: Database, slot: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.rows(sql`update mqtt_slots set subscribed_at = null where slot = ${slot}::int`);
    await tx.rows(sql`delete from mqtt_slots where slot = ${slot}::int and not is_wanted`);
  });
}
