/**
 * Retention of telemetry: raw messages and observations as configured. The data derived from them (timeline, sums, log)
 * are permanent.
 */
import { sql } from 'drizzle-orm';
import type { Services } from '../context/services';
import { maintainPartitions } from '../db/migrations/maintainPartitions';
import { messagesMovedBefore, oldestMessage } from '../objects/moveMessages';
import { observedSince } from '../telemetry/timeline/observation';

const day = 86_400_000;

type RetentionServices = Pick<Services, 'db' | 'env' | 'now' | 'objects'>;

/** Creates partitions ahead and drops those past their retention; usually does nothing. */
export async function applyTelemetryRetention(services: RetentionServices): Promise<void> {
  const { db, env, now } = services;
  const present = now();
  const since = new Date(present.getTime() - env.rawMessageDays * day);
  await maintainPartitions(db, 'raw_messages', { since: await retainedSince(services, since), now: present });
  // A trigger enqueues the removal of the objects. Nothing is deleted without a storage, which may be missing by
  // mistake.
  if (services.objects)
    await db.rows(sql`delete from raw_message_objects where received_to < ${since.toISOString()}::timestamptz`);
  await maintainPartitions(db, 'observations', { since: observedSince({ env, now: present }), now: present });
}

/**
 * Start of the raw messages to retain: partitions whose messages have all been moved to the object storage are dropped
 * early, and partitions with messages that have not been moved remain.
 */
async function retainedSince(services: RetentionServices, since: Date): Promise<Date> {
  if (!services.objects) return since;
  const moved = messagesMovedBefore(services);
  const oldest = (await oldestMessage(services)) ?? moved;
  return new Date(Math.max(since.getTime(), Math.min(moved.getTime(), oldest.getTime())));
}
