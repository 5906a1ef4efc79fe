/** Generates the stays of demo machines that have moved. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../server/db/core/database';
import { seededRandomSql } from './seededRandomSql';

/** Moves one machine in twenty to its site within the last forty days, from another site of its fleet. */
export async function seedStays(tx: Queries, { seed, now }: { seed: number; now: Date }): Promise<void> {
  await tx.rows(sql`
    update machine_stays st
    set from_at = date_trunc('hour', ${now.toISOString()}::timestamptz -
    (2 + ${seededRandomSql(seed, sql`st.machine_id`, sql`1`, 21)} * 38) * interval '1 day')
    from machines m where m.id = st.machine_id and ${seededRandomSql(seed, sql`st.machine_id`, sql`0`, 21)} < 0.05
      and exists (select from locations l where l.fleet_id = m.fleet_id and l.id <> st.location_id)`);
  await tx.rows(sql`
    insert into machine_stays (machine_id, location_id, from_at, to_at)
    select st.machine_id, (select l.id from locations l where l.fleet_id = m.fleet_id and l.id <> st.location_id
    order by l.id limit 1), 'epoch', st.from_at
    from machine_stays st join machines m on m.id = st.machine_id where st.from_at > 'epoch'`);
}
