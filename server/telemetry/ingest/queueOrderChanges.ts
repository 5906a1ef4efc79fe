import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import type { TimedMessage } from './storeMessages';

/** Queues the orders of a machine whose observations were rewritten, for `refreshOrderRuns`. */
export async function queueRewrittenOrders(
  tx: Queries,
  machineId: number,
  observations: readonly { at: Date; kind: string }[],
): Promise<void> {
  const times = observations.filter(({ kind }) => kind === 'state').map(({ at }) => at.toISOString());
  if (times.length === 0) return;
  await tx.rows(sql`
    insert into order_changes (machine_id, from_at, to_at) select ${machineId}::int, min(at), max(at)
    from unnest(${sql.param(times)}::timestamptz[]) as g(at)`);
}

/**
 * Queues stored states of VDA 5050 vehicles that may change a run, one row per machine, for `refreshOrderRuns`: late
 * states, and states that differ from the previous one in their order or in whether steps of it are left.
 */
export async function queueOrderChanges(tx: Queries, messages: readonly TimedMessage[]): Promise<void> {
  const states = messages.filter(
    ({ protocol, message: { kind, attributes } }) =>
      protocol === 'vda5050' && kind === 'state' && typeof attributes.orderId === 'string',
  );
  if (states.length === 0) return;
  const orderSql = (row: string) =>
    sql.raw(`nullif(${row}.attributes->>'orderId', ''), (${row}.attributes->>'order.left')::int > 0`);
  const neighbourSql = (row: string, condition: string, direction: string) =>
    sql.raw(`left join lateral (select s.machine_id, s.attributes from observations s
      where s.machine_id = o.machine_id and s.kind = 'state' and s.at ${condition} o.at
      order by s.at ${direction} limit 1) ${row} on true`);
  await tx.rows(sql`
    insert into order_changes (machine_id, from_at, to_at) select o.machine_id, min(o.at), max(o.at)
    from unnest(${sql.param(states.map(({ machineId }) => machineId))}::int[],
      ${sql.param(states.map(({ at }) => at.toISOString()))}::timestamptz[]) as g(machine_id, at)
    join observations o on o.machine_id = g.machine_id and o.at = g.at and o.kind = 'state'
    ${neighbourSql('before', '<', 'desc')} ${neighbourSql('after', '>', 'asc')}
    where after.machine_id is not null or (${orderSql('o')}) is distinct from (${orderSql('before')})
    group by 1 order by 1`);
}
