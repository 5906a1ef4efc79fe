/**
 * Retention of telemetry: raw messages 30 days, observations as configured. What follows from them (timeline, sums,
 * log) is permanent.
 */

import type { Services } from '../context/services';
import { maintainPartitions } from '../db/migrations/maintainPartitions';
import { observedSince } from '../telemetry/timeline/observation';

const rawDays = 30;
const day = 86_400_000;

/** Creates partitions ahead and drops those past their retention; usually does nothing. */
export async function applyTelemetryRetention({ db, env, now }: Pick<Services, 'db' | 'env' | 'now'>): Promise<void> {
  const present = now();
  await maintainPartitions(db, 'raw_messages', { since: new Date(present.getTime() - rawDays * day), now: present });
  await maintainPartitions(db, 'observations', { since: observedSince({ env, now: present }), now: present });
}
