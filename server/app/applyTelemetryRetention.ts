/**
 * Retention of telemetry: drops raw messages and observations past their configured age. Data derived from them
 * (timeline, sums, log) is permanent.
 */
import { sql } from 'drizzle-orm';
import type { Services } from '../context/services';
import { maintainPartitions } from '../db/migrations/maintainPartitions';
import { messagesMovedBefore, readOldestReceipt } from '../objects/moveMessages';
import { retentionStart } from '../telemetry/timeline/observation';

const day = 86_400_000;

type RetentionServices = Pick<Services, 'db' | 'env' | 'now' | 'objects'>;

/** Creates partitions ahead of time and drops those past their retention. Usually there is nothing to do. */
export async function applyTelemetryRetention(services: RetentionServices): Promise<void> {
  const { db, env, now } = services;
  const currentTime = now();
  const since = new Date(currentTime.getTime() - env.rawMessageDays * day);
  await maintainPartitions(db, 'raw_messages', { since: await retainedSince(services, since), now: currentTime });
  // A trigger enqueues the removal of the objects. Without an object storage nothing is deleted: its setting may be
  // missing by mistake.
  if (services.objects)
    await db.rows(sql`delete from raw_message_objects where received_to < ${since.toISOString()}::timestamptz`);
  await maintainPartitions(db, 'observations', {
    since: retentionStart({ env, now: currentTime }),
    now: currentTime,
  });
}

/**
 * Time from which raw messages stay in the database. Partitions whose messages have all been moved to the object
 * storage are dropped early; partitions with messages not yet moved remain.
 */
async function retainedSince(services: RetentionServices, since: Date): Promise<Date> {
  if (!services.objects) return since;
  const movedBefore = messagesMovedBefore(services);
  const oldest = (await readOldestReceipt(services)) ?? movedBefore;
  return new Date(Math.max(since.getTime(), Math.min(movedBefore.getTime(), oldest.getTime())));
}
