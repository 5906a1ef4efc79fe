/** Which machine a device id means, and what becomes of ids that nobody knows. */
import { sql } from 'drizzle-orm';
import type { LiveEvent } from '../api/live';
import { asWords } from '../db/columns';
import type { Queries } from '../db/database';
import type { Services } from '../services';
import type { Protocol } from './observation';

export interface Device {
  trackerId: number;
  machineId: number;
}

/** The machines behind device ids (`tracker_or_serial` or `refno`, exactly; the order named is that of the index); ids without a machine are missing. */
export async function devicesOf(db: Queries, ids: readonly string[]): Promise<Map<string, Device>> {
  const given = sql`${sql.param([...ids])}::text[]`;
  const rows = await db.rows<{ device: string; tracker_id: number; machine_id: number }>(sql`
    select distinct on (g.device) g.device, t.id as tracker_id, m.id as machine_id
    from unnest(${given}) as g(device)
    join trackers t on (${asWords(sql`t.tracker_or_serial`)} = g.device or t.refno = g.device) and t.deleted_at is null
    join machines m on m.tracker_id = t.id and m.deleted_at is null
    order by g.device, (t.tracker_or_serial = g.device) desc, t.id`);
  return new Map(rows.map(({ device, tracker_id, machine_id }) => [device, { trackerId: tracker_id, machineId: machine_id }]));
}

export interface Stranger {
  device: string;
  protocol: Protocol;
  payload: string;
}

/** Trackers that appear by themselves: more than so many waiting ones are noise, not devices. */
const mostWaiting = 500;
const longestId = 120;
const payloadKept = 2000;

/**
 * Notes that a device without a machine has sent: its tracker was seen, and one that nobody entered is made, unassigned.
 * Its message is not kept: the device is told so and can send it again.
 */
export async function meetStranger({ db, live, now }: Pick<Services, 'db' | 'live' | 'now'>, stranger: Stranger): Promise<void> {
  if (stranger.device.trim() === '' || stranger.device.length > longestId) return;
  const seen = now().toISOString();
  const events = await db.transaction((tx) => meet(tx, stranger, seen));
  await live.publish(events);
}

async function meet(tx: Queries, { device, protocol, payload }: Stranger, seen: string): Promise<LiveEvent[]> {
  // One at a time for the same id: a device that knocks twice at once is one tracker.
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${device}, 7335112030))`);
  const known = await tx.one<{ id: number }>(sql`
    select id from trackers where (${asWords(sql`tracker_or_serial`)} = ${device} or refno = ${device}) and deleted_at is null order by (tracker_or_serial = ${device}) desc, id limit 1`);
  if (known) {
    await tx.rows(sql`update trackers_state set last_seen = ${seen}::timestamptz where id = ${known.id}`);
    await tx.rows(sql`
      update discovered_trackers set messages = messages + 1, last_payload = ${payload.slice(0, payloadKept)} where tracker_id = ${known.id}`);
    return [{ entity: 'trackers', id: known.id, type: 'updated', payload: { last_seen: seen } }];
  }
  const made = await tx.one<{ id: number }>(sql`
    insert into trackers (refno, tracker_or_serial, mode)
    select case when char_length(${device}) between 3 and 60 then ${device} else 'new-' || left(encode(sha256(convert_to(${device}, 'UTF8')), 'hex'), 12) end, ${device}, 'http'
    where (select count(*) from discovered_trackers d join trackers t on t.id = d.tracker_id and t.deleted_at is null
      where not exists (select 1 from machines m where m.tracker_id = t.id and m.deleted_at is null)) < ${mostWaiting}::int
    returning id`);
  if (!made) return [];
  await tx.rows(sql`update trackers_state set last_seen = ${seen}::timestamptz where id = ${made.id}`);
  await tx.rows(sql`
    insert into discovered_trackers (tracker_id, protocol, first_seen, last_payload) values (${made.id}, ${protocol}, ${seen}::timestamptz, ${payload.slice(0, payloadKept)})`);
  return [{ entity: 'trackers', id: made.id, type: 'created' }];
}
