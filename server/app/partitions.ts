/**
 * How long telemetry is kept: messages as they came for 30 days, observations as long as is set. What follows from them
 * (timeline, sums, log) stays for ever.
 */

import type { Services } from '../context/services';
import { maintainPartitions } from '../db/migrations/partitions';
import { observedSince } from '../telemetry/timeline/observation';

const rawDays = 30;
const day = 86_400_000;

/** Makes room for what is to come and drops what is past its time; often nothing is to be done. */
export async function applyTelemetryRetention({ db, env, now }: Pick<Services, 'db' | 'env' | 'now'>): Promise<void> {
  const present = now();
  await maintainPartitions(db, 'raw_messages', { since: new Date(present.getTime() - rawDays * day), now: present });
  await maintainPartitions(db, 'observations', { since: observedSince({ env, now: present }), now: present });
}
