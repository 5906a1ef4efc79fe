/** Finds machines of a client by the vendor's id. */
import { sql } from 'drizzle-orm';
import { collatedSql } from '../../db/core/columns';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { keyRulesSql } from '../../telemetry/ingest/senders';

const machineShape = {
  serial: pg.text,
  id: pg.integer,
  serialNumber: pg.text,
  trackerId: pg.integer.nullable,
  keyRules: pg.text.array.nullable,
  /** Whether several machines match the id. */
  isAmbiguous: pg.boolean,
};
export interface VendorMachine {
  id: number;
  serialNumber: string;
  trackerId: number | null;
  keyRules: string[] | null;
  isAmbiguous: boolean;
}

/**
 * Finds the client's machines by the vendor's serial number, which is compared with the device id and number of their
 * tracker, then with their serial number, then with their reference number. Omits unknown numbers.
 */
export async function findVendorMachines(
  db: Queries,
  clientId: number,
  serials: readonly string[],
): Promise<Map<string, VendorMachine>> {
  const bySerial = new Map<string, VendorMachine>();
  const joins = [
    sql`join trackers named on (${collatedSql(sql`named.tracker_or_serial`)} = g.serial or named.refno = g.serial)
      and named.deleted_at is null join machines m on m.tracker_id = named.id`,
    sql`join machines m on m.serial_number = g.serial`,
    sql`join machines m on m.reference_number = g.serial`,
  ];
  for (const join of joins) {
    const missingSerials = [...new Set(serials)].filter((serial) => !bySerial.has(serial));
    if (missingSerials.length === 0) break;
    const rows = await db.select(
      machineShape,
      sql`
      select distinct on (g.serial) g.serial, m.id, m.serial_number as "serialNumber", t.id as "trackerId",
        ${keyRulesSql} as "keyRules", count(*) over (partition by g.serial) > 1 as "isAmbiguous"
      from unnest(${sql.param(missingSerials)}::text[]) as g(serial)
      ${join}
      join fleets f on f.id = m.fleet_id and f.client_id = ${clientId}::int
      left join trackers t on t.id = m.tracker_id and t.deleted_at is null
      left join types y on y.id = m.type_id
      where m.deleted_at is null order by g.serial, m.id`,
    );
    for (const { serial, ...machine } of rows) bySerial.set(serial, machine);
  }
  return bySerial;
}
