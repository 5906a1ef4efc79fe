/** Stores the latest factsheet of each tracker. */
import { sql } from 'drizzle-orm';
import type { Services } from '../../context/services';
import { readFactsheet } from '../adapters/factsheet';

/**
 * Resolves when the factsheet is stored. Ignores a factsheet received before the stored one.
 * @throws InvalidMessage
 */
export async function storeFactsheet(
  { db, live }: Pick<Services, 'db' | 'live'>,
  { trackerId, body, receivedAt }: { trackerId: number; body: Uint8Array; receivedAt: Date },
): Promise<void> {
  const sheet = readFactsheet(body);
  const storedRows = await db.rows(sql`
    insert into tracker_factsheets as at (tracker_id, received_at, factsheet_version, vehicle_type, vehicle_length,
    vehicle_width, vehicle_height)
    select ${trackerId}::int, ${receivedAt.toISOString()}::timestamptz, ${sheet.factsheet_version}::text,
      ${sheet.vehicle_type}::text, ${sheet.vehicle_length}::float8, ${sheet.vehicle_width}::float8,
      ${sheet.vehicle_height}::float8
    where exists (select from trackers where id = ${trackerId}::int)
    on conflict (tracker_id) do update set received_at = excluded.received_at,
      factsheet_version = excluded.factsheet_version, vehicle_type = excluded.vehicle_type,
      vehicle_length = excluded.vehicle_length, vehicle_width = excluded.vehicle_width,
      vehicle_height = excluded.vehicle_height where at.received_at <= excluded.received_at
    returning tracker_id`);
  if (storedRows.length === 0) return;
  await live.publish([{ entity: 'trackers', id: trackerId, type: 'updated', payload: { ...sheet } }]);
}
