/**
 * Retention of telemetry: raw messages and observations as configured. What follows from them (timeline, sums, log) is
 * permanent.
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
  // A trigger has their objects removed. A start without the storage, by mistake, must not shorten what is there.
  if (services.objects)
    await db.rows(sql`delete from raw_message_objects where received_to < ${since.toISOString()}::timestamptz`);
  await maintainPartitions(db, 'observations', { since: observedSince({ env, now: present }), now: present });
}

/** Partitions whose messages have been moved go early; what waits for the object storage stays. */
async function retainedSince(services: RetentionServices, since: Date): Promise<Date> {
  if (!services.objects) return since;
  const moved = messagesMovedBefore(services);
  const oldest = (await oldestMessage(services)) ?? moved;
  return new Date(Math.max(since.getTime(), Math.min(moved.getTime(), oldest.getTime())));
}
