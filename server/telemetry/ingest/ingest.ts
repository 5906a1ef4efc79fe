/**
 * Turns messages into observations, timeline, daily sums and machine state. One transaction serves the messages of any
 * number of machines.
 */
import { sql } from 'drizzle-orm';
import type { LiveEvent } from '../../context/eventBus';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pipeline } from '../../db/core/pipeline';
import { forgetCoverage } from '../timeline/forgetCoverage';
import { lockMachines } from '../timeline/lockMachines';
import { retentionStart } from '../timeline/observation';
import { diffSnapshots } from '../timeline/snapshots';
import { insertMessages } from './insertMessages';
import { carryForwardMessageKeys } from './keyedStretches';
import { logDeviceErrors } from './logDeviceErrors';
import { materializeObservationsAround } from './materializeObservations';
import { findAppends } from './planAppends';
import { queueOrderChanges } from './queueOrderChanges';
import { readMachines } from './readMachines';
import { keyOfMessage, mergeMessages, resolveTimes } from './resolveTimes';
import { storeAppends } from './storeAppends';
import {
  affectsState,
  type Incoming,
  type RetainedMessage,
  storeMessages,
  type TimedMessage,
  withEffectiveTime,
} from './storeMessages';

/** Milliseconds of silence after which the database rolls back: until then, the machines of all messages are locked. */
const maxSilence = 3000;

/**
 * Ingests messages of known machines. Resolves after the commit, and publishes the events afterwards. Duplicates
 * succeed and change nothing.
 */
export async function ingest(
  services: Pick<Services, 'db' | 'env' | 'live' | 'now' | 'log'>,
  incoming: readonly Incoming[],
): Promise<void> {
  const { events } = await services.db.transaction(
    (tx) => ingestInTransaction(tx, incoming, { env: services.env, now: services.now() }),
    { maxSilence },
  );
  publishIngested(services, events);
}

/** Publishes events without waiting for them, since the messages are already stored. */
export function publishIngested({ live, log }: Pick<Services, 'live' | 'log'>, events: readonly LiveEvent[]): void {
  void live.publish(events).catch((err: unknown) => log.warn({ err }, 'publishing events of machines failed'));
}

/**
 * Like `ingest`, but inside a transaction. Returns the number of new messages, and the events to publish after the
 * commit.
 */
export async function ingestInTransaction(
  tx: Queries,
  incoming: readonly Incoming[],
  { env, now }: { env: Services['env']; now: Date },
): Promise<{ stored: number; events: LiveEvent[] }> {
  if (incoming.length === 0) return { stored: 0, events: [] };
  const since = retentionStart({ env, now });
  const machineIds = [...new Set(incoming.map(({ machineId }) => machineId))].sort((a, b) => a - b);
  const timedMessages = mergeEqualTimes(await withKnownTimes(tx, incoming, machineIds), since);
  const [, machines] = await pipeline([lockMachines(tx, machineIds), readMachines(tx, machineIds)]);
  const messages = await carryForwardMessageKeys(tx, timedMessages, machines);
  const appends = findAppends(messages, machines);
  const appendedMachineIds = new Set(appends.map(({ machineId }) => machineId));
  const otherMessages = messages.filter(({ machineId }) => !appendedMachineIds.has(machineId));
  const watches = new Map([...machines].map(([id, { watch }]) => [id, watch]));
  await materializeObservationsAround(
    tx,
    otherMessages.filter((message) => message.isCounted && affectsState(message)),
    watches,
  );
  const [storedObservations, snapshots] = await pipeline([
    storeMessages(tx, messages),
    storeAppends(tx, appends, now),
    updateTrackers(tx, messages),
  ]);
  const insertResult = await insertMessages(tx, {
    messages: otherMessages,
    stored: storedObservations.filter(({ machineId }) => !appendedMachineIds.has(machineId)),
    watches,
    now,
  });
  const appendedMessages = appends.flatMap((append) => append.messages);
  const storedMessages = [...appendedMessages, ...insertResult.messages];
  await pipeline([
    logDeviceErrors(tx, [...appendedMessages, ...insertResult.messagesWithNewErrors]),
    queueOrderChanges(tx, storedMessages),
    forgetCoverage(
      tx,
      storedMessages.map(({ machineId, at, message: { attributes } }) => ({ machineId, at, attributes })),
    ),
  ]);
  const snapshotsBefore = new Map([...machines].map(([id, { snapshot }]) => [id, snapshot]));
  return {
    stored: storedMessages.length,
    events: diffSnapshots(snapshotsBefore, new Map([...snapshots, ...insertResult.snapshots])),
  };
}

/** Returns the messages with their times. Finding repeats of untrusted clocks requires the lock on their machines. */
async function withKnownTimes(
  tx: Queries,
  incoming: readonly Incoming[],
  machineIds: readonly number[],
): Promise<TimedMessage[]> {
  const timedMessages = incoming.map(withEffectiveTime);
  if (timedMessages.every(({ untrustedAt }) => !untrustedAt)) return timedMessages;
  await lockMachines(tx, machineIds);
  return resolveTimes(tx, timedMessages);
}

/** Merges messages with the same key: the first of them gets the fields of all, and the others no longer count. */
function mergeEqualTimes(messages: readonly TimedMessage[], since: Date): RetainedMessage[] {
  const byKey = new Map<string, [TimedMessage, ...TimedMessage[]]>();
  const messagesByIndex = messages.map((message) => {
    const key = keyOfMessage(message);
    const sameKeyMessages = byKey.get(key);
    if (sameKeyMessages) sameKeyMessages.push(message);
    else byKey.set(key, [message]);
    return sameKeyMessages ?? (byKey.get(key) as [TimedMessage, ...TimedMessage[]]);
  });
  return messages.map((message, index) => {
    const sameKeyMessages = messagesByIndex[index] as [TimedMessage, ...TimedMessage[]];
    return sameKeyMessages[0] === message
      ? { ...mergeMessages(sameKeyMessages), isCounted: message.at >= since }
      : { ...message, isCounted: false };
  });
}

async function updateTrackers(tx: Queries, messages: readonly TimedMessage[]): Promise<void> {
  await tx.rows(sql`
    update trackers_state s set last_seen = greatest(s.last_seen, latest.at)
    from (select id, max(at) as at from unnest(${sql.param(messages.map(({ trackerId }) => trackerId))}::int[],
      ${sql.param(messages.map(({ receivedAt }) => receivedAt.toISOString()))}::timestamptz[]) as input(id, at)
      group by id order by id) latest
    where s.id = latest.id`);
}
