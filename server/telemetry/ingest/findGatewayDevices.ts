/** Finds the devices that a gateway may send for. */
import { sql } from 'drizzle-orm';
import { collatedSql } from '../../db/core/columns';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { keyRulesSql, type Sender, senderShape } from './senders';

/** Returns trackers by device id; `foreign` for those that the gateway may not send for. Omits unknown ids. */
export async function findGatewayDevices(
  db: Queries,
  gatewayId: number,
  deviceIds: readonly string[],
): Promise<Map<string, Sender | 'foreign'>> {
  const clientSql = (tracker: ReturnType<typeof sql>) =>
    sql`(select f.client_id from machines h join fleets f on f.id = h.fleet_id
      where h.tracker_id = ${tracker} and h.deleted_at is null)`;
  const rows = await db.select(
    { ...senderShape, device: pg.text, isOwn: pg.boolean },
    sql`
    select distinct on (g.device) g.device, t.id as "trackerId", m.id as "machineId",
      array_remove(array[t.tracker_or_serial, t.refno], null) as names, y.cleaning_actions as "cleaningActions",
      ${keyRulesSql} as "keyRules",
      t.id = ${gatewayId}::int or (t.gateway_id is not distinct from ${gatewayId}::int
        and coalesce(${clientSql(sql`t.id`)} = ${clientSql(sql`${gatewayId}::int`)}, true)) as "isOwn"
    from unnest(${sql.param([...deviceIds])}::text[]) as g(device)
    join trackers t on (${collatedSql(sql`t.tracker_or_serial`)} = g.device or t.refno = g.device)
      and t.deleted_at is null
    left join machines m on m.tracker_id = t.id and m.deleted_at is null
    left join types y on y.id = m.type_id
    order by g.device, (t.tracker_or_serial = g.device) desc, t.id`,
  );
  return new Map(rows.map(({ device, isOwn, ...sender }) => [device, isOwn ? sender : 'foreign']));
}
