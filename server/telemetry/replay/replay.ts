/**
 * Parses a machine's raw messages again with the current adapters and rewrites what changed: observations, log,
 * timeline, sums and state. Idempotent: leaves unchanged results alone, so a second run finds nothing to do.
 */
import { sql } from 'drizzle-orm';
import type { LiveEvent } from '../../context/eventBus';
import type { ObjectStorage } from '../../context/objectStorage';
import type { Database, Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { type MovedMessages, openMovedMessages } from '../../objects/openMovedMessages';
import { type AdapterSettings, type FindAdapterSettings, readMessage } from '../adapters/readMessage';
import { buildKeyedStretches, carryForwardStoredKeys } from '../ingest/keyedStretches';
import { logDeviceErrors } from '../ingest/logDeviceErrors';
import { lockWatches, neverSeen, rebuildState } from '../ingest/machineState';
import { queueRewrittenOrders } from '../ingest/queueOrderChanges';
import { rebuildTimeline } from '../ingest/rebuildTimeline';
import { keyOfMessage, mergeMessages, resolveTimes } from '../ingest/resolveTimes';
import { keyRulesSql } from '../ingest/senders';
import {
  isAsStored,
  type ObservationRow,
  observationColumns,
  observationShape,
  storeObservations,
  type TimedMessage,
  withEffectiveTime,
} from '../ingest/storeMessages';
import { forgetCoverage } from '../timeline/forgetCoverage';
import { keyOnMachine } from '../timeline/neighbours';
import { InvalidMessage } from '../timeline/observation';
import { diffSnapshots, readSnapshots } from '../timeline/snapshots';
import { readRawMessages } from './readRawMessages';

export interface ReplayOptions {
  machineId: number;
  /** Time of receipt. */
  from: Date;
  to: Date;
  /** Start of the retained observations. Earlier ones are neither added nor deleted. */
  since: Date;
  findSettings: FindAdapterSettings;
  now: Date;
  /** Keeps observations merged from several messages as they are, instead of reading all messages of the machine. */
  keepsMerged?: boolean;
  /** Where moved messages are read. */
  objects?: ObjectStorage;
}

export interface ReplayResult {
  /** Raw messages read, and how many of them the current adapters reject. */
  messages: number;
  unreadable: number;
  /** Observations deleted and added. */
  removed: number;
  added: number;
  events: LiveEvent[];
}

/**
 * Replays one machine in one transaction. Reads messages from the object storage before it locks the machine, so that
 * devices need not wait meanwhile.
 */
export const replay = (db: Database, options: ReplayOptions): Promise<ReplayResult> =>
  db.transaction(async (tx) => {
    const movedMessages = await openMovedMessages(tx, options.machineId, options.objects);
    await movedMessages.load(await extendRange(tx, options));
    return replayInTransaction(tx, { ...options, loadMoved: movedMessages.load });
  });

/**
 * Replays inside the caller's transaction; the caller publishes the events after the commit. `loadMoved` reads more
 * from the object storage if observations merged since the first reading widen the range.
 */
export async function replayInTransaction(
  tx: Queries,
  { loadMoved, ...options }: ReplayOptions & { loadMoved?: MovedMessages['load'] },
): Promise<ReplayResult> {
  const { machineId, now } = options;
  const { observedSeconds, policies } = (await lockWatches(tx, [machineId])).get(machineId) ?? neverSeen;
  const snapshotsBefore = await readSnapshots(tx, [machineId]);
  const settings = await readSettings(tx, options);
  const range = options.keepsMerged ? options : await extendRange(tx, options);
  await loadMoved?.(range);
  const skippedKeys = options.keepsMerged ? await readMergedKeys(tx, options) : new Set<string>();
  const counts = { messages: 0, unreadable: 0 };
  const context = { ...range, settings, skippedKeys, readsMoved: loadMoved !== undefined };
  const resolution = await resolveObservations(tx, context);
  const removed: ObservationRow[] = [];
  // Deletes first, so that the key of an observation is free if another message now has it.
  for await (const batch of readBatches(tx, { ...context, resolution }, counts))
    removed.push(...(await removeOutdated(tx, options, batch)));
  const added: TimedMessage[] = [];
  for await (const batch of readBatches(tx, { ...context, resolution }, { messages: 0, unreadable: 0 }))
    added.push(...(await addMissing(tx, batch)));
  if (removed.length === 0 && added.length === 0) return { ...counts, removed: 0, added: 0, events: [] };
  const laterChanges = await carryKeysForward(tx, { machineId, removed, added });
  await deleteLogEntries(tx, { machineId, kinds: ['error', 'clock'], times: removed.map(({ at }) => at) });
  // Messages that can be parsed now.
  await deleteLogEntries(tx, { machineId, kinds: ['refused'], times: added.map(({ receivedAt }) => receivedAt) });
  await logDeviceErrors(tx, added);
  const additions = added.map(({ at, message: { kind, attributes } }) => ({ at, kind, attributes }));
  await rebuildTimeline(tx, {
    machineId,
    removed: [...removed, ...laterChanges],
    added: [...additions, ...laterChanges],
    until: observedSeconds,
    clock: { now, policies },
  });
  await rebuildState(tx, machineId, policies);
  const changes = [...removed, ...additions].map(({ at, kind, attributes }) => ({ machineId, at, kind, attributes }));
  await queueRewrittenOrders(tx, machineId, changes);
  await forgetCoverage(tx, changes);
  return {
    ...counts,
    removed: removed.length,
    added: added.length,
    events: diffSnapshots(snapshotsBefore, await readSnapshots(tx, [machineId])),
  };
}

async function readSettings(tx: Queries, { machineId, findSettings }: ReplayOptions): Promise<AdapterSettings> {
  const source = await tx.selectOne(
    { cleaningActions: pg.text.array.nullable, keyRules: pg.text.array.nullable },
    sql`select y.cleaning_actions as "cleaningActions", ${keyRulesSql} as "keyRules" from machines m
      left join types y on y.id = m.type_id left join trackers t on t.id = m.tracker_id where m.id = ${machineId}`,
  );
  return findSettings(source ?? { cleaningActions: null, keyRules: null });
}

interface ReplayChanges {
  machineId: number;
  removed: readonly ObservationRow[];
  added: readonly TimedMessage[];
}

/** Carries state keys forward, from the replayed observations on. Returns former values of later ones that changed. */
async function carryKeysForward(tx: Queries, { machineId, removed, added }: ReplayChanges): Promise<ObservationRow[]> {
  const keyedObservations = [
    ...removed.filter(({ own_keys }) => own_keys !== null).map(({ protocol, at }) => ({ machineId, protocol, at })),
    ...added.filter(({ message }) => message.own_keys !== undefined),
  ];
  const newKeys = new Set(added.map(({ at, message }) => keyOnMachine({ at, kind: message.kind })));
  const changedRows: ObservationRow[] = [];
  for (const stretch of buildKeyedStretches(keyedObservations))
    changedRows.push(...(await carryForwardStoredKeys(tx, stretch)));
  return changedRows.filter((row) => !newKeys.has(keyOnMachine(row)));
}

type ReplayMessage = TimedMessage & { rawId: number };

interface ReplayBatch {
  rawIds: number[];
  messages: ReplayMessage[];
}

/** Extends the range to all raw messages if any observation was merged: the range may lack some of its messages. */
async function extendRange(tx: Queries, options: ReplayOptions): Promise<ReplayOptions> {
  const mergedObservation = await tx.selectOne(
    { is_merged: pg.boolean },
    sql`select is_merged from observations where machine_id = ${options.machineId} and is_merged limit 1`,
  );
  return mergedObservation
    ? { ...options, from: new Date(0), to: options.now > options.to ? options.now : options.to }
    : options;
}

/** Keys of observations merged from several messages. */
async function readMergedKeys(tx: Queries, { machineId, since }: ReplayOptions): Promise<ReadonlySet<string>> {
  const rows = await tx.select(
    { at: pg.timestamptz, kind: pg.text },
    sql`select at, kind from observations
      where machine_id = ${machineId} and is_merged and at >= ${since.toISOString()}::timestamptz`,
  );
  return new Set(rows.map(keyOnMachine));
}

/** Options of a replay with its state. */
interface ReplayContext extends ReplayOptions {
  settings: AdapterSettings;
  /** Keys of observations that stay as they are. */
  skippedKeys: ReadonlySet<string>;
  readsMoved: boolean;
}

/** What does not follow from a single message: times of untrusted clocks, and observations of several messages. */
interface ReplayResolution {
  /** By raw message, device time and kind (`sourceKeyOf`). */
  times: ReadonlyMap<string, Date>;
  /** By observation, for those of several messages. */
  mergedMessages: ReadonlyMap<string, ReplayMessage>;
}

const emptyResolution: ReplayResolution = { times: new Map(), mergedMessages: new Map() };

async function resolveObservations(tx: Queries, options: ReplayContext): Promise<ReplayResolution> {
  const times = new Map<string, Date>();
  const seenKeys = new Set<string>();
  const repeatedMessages = new Map<string, ReplayMessage[]>();
  const batches = () =>
    readBatches(tx, { ...options, resolution: { ...emptyResolution, times } }, { messages: 0, unreadable: 0 });
  for await (const { messages } of batches()) {
    const resolvedMessages = await resolveTimes(tx, messages);
    for (const [index, message] of resolvedMessages.entries()) {
      if (message.untrustedAt) times.set(sourceKeyOf(messages[index] as ReplayMessage), message.at);
      const key = keyOfMessage(message);
      if (seenKeys.has(key)) repeatedMessages.set(key, []);
      seenKeys.add(key);
    }
  }
  if (repeatedMessages.size > 0)
    for await (const { messages } of batches())
      for (const message of messages) repeatedMessages.get(keyOfMessage(message))?.push(message);
  const mergedMessages = [...repeatedMessages].map(([key, messages]): [string, ReplayMessage] => [
    key,
    mergeMessages(messages as [ReplayMessage, ...ReplayMessage[]]),
  ]);
  return { times, mergedMessages: new Map(mergedMessages) };
}

const sourceKeyOf = ({ rawId, untrustedAt, message }: ReplayMessage) =>
  `${rawId} ${untrustedAt?.getTime()} ${message.kind}`;

async function* readBatches(
  tx: Queries,
  { resolution, ...context }: ReplayContext & { resolution: ReplayResolution },
  counts: { messages: number; unreadable: number },
): AsyncGenerator<ReplayBatch> {
  const { machineId, since, settings, skippedKeys } = context;
  for await (const rows of readRawMessages(tx, context)) {
    const messages = rows.flatMap(({ id, received_at, protocol, device, tracker_id, media_type, body }) => {
      const raw = { device, mediaType: media_type, body };
      counts.messages += 1;
      try {
        return readMessage(protocol, raw, settings).map(({ message }) => ({
          ...withEffectiveTime({ machineId, trackerId: tracker_id, protocol, message, receivedAt: received_at, raw }),
          rawId: id,
        }));
      } catch (error) {
        if (!(error instanceof InvalidMessage)) throw error;
        counts.unreadable += 1;
        return [];
      }
    });
    const effectiveMessages = messages
      .map((message) => ({ ...message, at: resolution.times.get(sourceKeyOf(message)) ?? message.at }))
      .filter(({ at, message }) => at >= since && !skippedKeys.has(keyOnMachine({ at, kind: message.kind })))
      .flatMap((message) => {
        const mergedMessage = resolution.mergedMessages.get(keyOfMessage(message));
        if (!mergedMessage) return [message];
        return mergedMessage.rawId === message.rawId ? [mergedMessage] : [];
      });
    yield { rawIds: rows.map(({ id }) => id), messages: effectiveMessages };
  }
}

/** Deletes observations that these messages no longer yield, or yield differently. */
async function removeOutdated(
  tx: Queries,
  { machineId, since, keepsMerged = false }: ReplayOptions,
  { rawIds, messages }: ReplayBatch,
): Promise<ObservationRow[]> {
  const storedRows = await tx.select(
    observationShape,
    sql`select ${observationColumns} from observations
      where machine_id = ${machineId} and at >= ${since.toISOString()}::timestamptz
      and not (${keepsMerged}::boolean and is_merged)
      and raw_id = any(${sql.param(rawIds)}::bigint[])`,
  );
  const messagesByKey = new Map(
    messages.map((message) => [
      `${message.rawId} ${keyOnMachine({ at: message.at, kind: message.message.kind })}`,
      message,
    ]),
  );
  const outdatedRows = storedRows.filter((row) => {
    const message = messagesByKey.get(`${row.raw_id} ${keyOnMachine(row)}`);
    return !message || !isAsStored(row, message);
  });
  await tx.rows(sql`
    delete from observations o using unnest(${sql.param(outdatedRows.map(({ at }) => at.toISOString()))}::timestamptz[],
    ${sql.param(outdatedRows.map(({ kind }) => kind))}::text[]) as g(at, kind)
    where o.machine_id = ${machineId} and o.at = g.at and o.kind = g.kind`);
  return outdatedRows;
}

/** Adds the observations of these messages that are not stored yet. */
async function addMissing(tx: Queries, { messages }: ReplayBatch): Promise<TimedMessage[]> {
  const storedKeys = new Set((await storeObservations(tx, messages)).map(keyOnMachine));
  return messages.filter((message) => storedKeys.delete(keyOnMachine({ at: message.at, kind: message.message.kind })));
}

async function deleteLogEntries(
  tx: Queries,
  { machineId, kinds, times }: { machineId: number; kinds: readonly string[]; times: readonly Date[] },
): Promise<void> {
  await tx.rows(sql`
    delete from machine_logs where machine_id = ${machineId} and kind = any(${sql.param([...kinds])}::text[])
    and at = any(${sql.param(times.map((at) => at.toISOString()))}::timestamptz[])`);
}
