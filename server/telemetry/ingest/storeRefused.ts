/**
 * Stores messages of known machines that no adapter can parse and whose sender gets no response. A replay reads them
 * once the adapter is fixed. Also adds an entry to the machine log.
 */
import { sql } from 'drizzle-orm';
import type { Database } from '../../db/core/database';
import { createTokenBucket } from '../../shared/createTokenBucket';
import { mediaTypeOf } from '../adapters/readMessage';
import type { ReceivedMessage } from './receive';

/** Maximum bytes to store; larger messages are only logged. */
const maxBytes = 64 * 1024;
/** Rate limit per tracker, so that a device that sends only such messages fills neither the disk nor the log. */
const rateLimit = { perSecond: 1 / 60, burst: 20 };
/** Maximum number of trackers remembered. */
const maxTrackers = 50_000;

export type StoreRefused = (db: Database, message: ReceivedMessage & { machineId: number }) => Promise<void>;

/** Creates the function that stores refused messages, with rate limits of its own. */
export function createRefusedStore(): StoreRefused {
  let rateLimiters = new Map<number, () => boolean>();

  function mayStore(tracker: number): boolean {
    if (rateLimiters.size >= maxTrackers) rateLimiters = new Map();
    const takeToken = rateLimiters.get(tracker) ?? createTokenBucket(rateLimit);
    rateLimiters.set(tracker, takeToken);
    return takeToken();
  }

  return async (db, { sender, machineId, protocol, topic, body, receivedAt }) => {
    if (!mayStore(sender.trackerId)) return;
    const receivedTime = receivedAt.toISOString();
    const rawMessage =
      body.length > maxBytes
        ? sql``
        : sql`
      with raw as (
        insert into raw_messages (received_at, protocol, device, tracker_id, machine_id, media_type, body)
        values (${receivedTime}::timestamptz, ${protocol}, ${sender.names[0] as string}, ${sender.trackerId}::int,
        ${machineId}::int, ${mediaTypeOf(topic)},
          decode(${Buffer.from(body).toString('base64')}, 'base64'))
      )`;
    await db.rows(sql`
      ${rawMessage} insert into machine_logs (machine_id, at, level, kind)
      values (${machineId}::int, ${receivedTime}::timestamptz, 'warning', 'refused')`);
  };
}
