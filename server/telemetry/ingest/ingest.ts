/**
 * Turns messages into observations, timeline, daily sums and machine state: one transaction for messages of any
 * machines.
 */
import { sql } from 'drizzle-orm';
import type { LiveEvent } from '../../context/eventBus';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pipeline } from '../../db/core/pipeline';
import { areaStep, distanceStep, stepsOf } from '../timeline/counters';
import { addToDays, type Count } from '../timeline/days';
import { forgetCoverage } from '../timeline/forgetCoverage';
import { intervalDelta, type TimelineChange } from '../timeline/intervalDelta';
import { hasMapDistance } from '../timeline/mapDistance';
import { keyOf, marksAround, marksDistance, neighboursOf, type StoredObservation } from '../timeline/neighbours';
import { observedSince, quietKinds } from '../timeline/observation';
import { type SegmentDiff, segmentsAround, storeSegments } from '../timeline/segments';
import { diffSnapshots, readSnapshots } from '../timeline/snapshots';
import { diffSegments, type ObservationNeighbourhood, rebuildAround, second } from '../timeline/timeline';
import { isKeyed, type KeyedPlace, keyedStretches, prolongMessages, prolongStored, streamOf } from './keyedStretches';
import { logDeviceErrors } from './logDeviceErrors';
import { lockWatches, type MachineWatch, neverSeen, rebuildState, updateMeasures, updateState } from './machineState';
import { materializeObservationsAround } from './materializeObservations';
import { queueOrderChanges } from './queueOrderChanges';
import { rebuildTimeline } from './rebuildTimeline';
import { keyOfMessage, mergeMessages, resolveTimes } from './resolveTimes';
import {
  type AmendedObservation,
  amendObservations,
  type Incoming,
  type ObservationRow,
  type RetainedMessage,
  storeMessages,
  type TimedMessage,
  withEffectiveTime,
} from './storeMessages';

/**
 * Ingests messages of known machines. Resolves after the commit; duplicates change nothing and succeed. Events are
 * published afterwards.
 */
export async function ingest(
  services: Pick<Services, 'db' | 'env' | 'live' | 'now' | 'log'>,
  incoming: readonly Incoming[],
): Promise<void> {
  const { events } = await services.db.transaction((tx) =>
    ingestWithin(tx, incoming, { env: services.env, now: services.now() }),
  );
  publishIngested(services, events);
}

/** Publishes events without waiting: the messages are stored already. */
export function publishIngested({ live, log }: Pick<Services, 'live' | 'log'>, events: readonly LiveEvent[]): void {
  void live.publish(events).catch((err: unknown) => log.warn({ err }, 'publishing events of machines failed'));
}

/**
 * Like `ingest`, inside a transaction. Returns the number of new messages, and the events to publish after the commit.
 */
export async function ingestWithin(
  tx: Queries,
  incoming: readonly Incoming[],
  { env, now }: { env: Services['env']; now: Date },
): Promise<{ stored: number; events: LiveEvent[] }> {
  if (incoming.length === 0) return { stored: 0, events: [] };
  const since = observedSince({ env, now });
  const machineIds = [...new Set(incoming.map(({ machineId }) => machineId))].sort((a, b) => a - b);
  const timedMessages = mergeEqualTimes(await withKnownTimes(tx, incoming, machineIds), since);
  const [watches, snapshotsBefore, messages] = await pipeline([
    lockWatches(tx, machineIds),
    readSnapshots(tx, machineIds),
    prolongMessages(tx, timedMessages),
  ]);
  await materializeObservationsAround(
    tx,
    messages.filter(({ message, isCounted }) => isCounted && affectsState(message)),
    watches,
  );
  const [stored] = await pipeline([storeMessages(tx, messages), updateTrackers(tx, messages)]);
  const isNew = new Set(stored.map(keyOf));
  const counted = messages.filter(({ isCounted }) => isCounted);
  const duplicates =
    stored.length === counted.length ? [] : counted.filter((message) => !isNew.has(keyOfMessage(message)));
  const newMessages = duplicates.length === 0 ? counted : counted.filter((message) => isNew.has(keyOfMessage(message)));
  const amended = await amendObservations(tx, duplicates);
  if (stored.length + amended.length === 0) return { stored: 0, events: [] };
  await logDeviceErrors(tx, [...newMessages, ...amended.filter(bringsError).map(({ message }) => message)]);
  const changed = await prolongLate(tx, { messages, watches, isNew, amended });
  const isInOrder = ({ machineId }: { machineId: number }) => !changed.has(machineId);
  const observations = stored.filter(isInOrder);
  const current = newMessages.filter(isInOrder);
  const [timelineChanges, counts] = await pipeline([
    rebuild(tx, { observations: observations.filter(affectsState), watches, now }),
    countsOf(tx, current, observations),
  ]);
  const storedMessages = [...newMessages, ...amended.map(({ message }) => message)];
  const [, , , , snapshots] = await pipeline([
    storeChanges(tx, timelineChanges),
    addToDays(tx, timelineChanges.flatMap(intervalDelta), counts),
    updateState(tx, { changes: timelineChanges, newMessages: current, watches }),
    updateMeasures(tx, current, watches),
    readSnapshots(tx, machineIds),
    queueOrderChanges(tx, storedMessages),
    forgetCoverage(
      tx,
      storedMessages.map(({ machineId, at, message: { attributes } }) => ({ machineId, at, attributes })),
    ),
  ]);
  for (const [machineId, removed] of changed) {
    const { observed: until, limits } = watches.get(machineId) ?? neverSeen;
    const added = [...stored.filter((observation) => observation.machineId === machineId), ...removed];
    await rebuildTimeline(tx, { machineId, removed, added, until, clock: { now, limits } });
    await rebuildState(tx, machineId, limits);
  }
  return {
    stored: stored.length + amended.length,
    events: diffSnapshots(snapshotsBefore, changed.size === 0 ? snapshots : await readSnapshots(tx, machineIds)),
  };
}

/** Messages with their times; repeats of untrusted clocks are looked up once nobody else writes to their machines. */
async function withKnownTimes(
  tx: Queries,
  incoming: readonly Incoming[],
  machineIds: readonly number[],
): Promise<TimedMessage[]> {
  const timedMessages = incoming.map(withEffectiveTime);
  if (timedMessages.every(({ untrustedAt }) => !untrustedAt)) return timedMessages;
  await lockWatches(tx, machineIds);
  return resolveTimes(tx, timedMessages);
}

/** Messages of equal time count as one, the first of them, with the fields of all. */
function mergeEqualTimes(messages: readonly TimedMessage[], since: Date): RetainedMessage[] {
  const byKey = new Map<string, [TimedMessage, ...TimedMessage[]]>();
  const equals = messages.map((message) => {
    const key = keyOfMessage(message);
    const equal = byKey.get(key);
    if (equal) equal.push(message);
    else byKey.set(key, [message]);
    return equal ?? (byKey.get(key) as [TimedMessage, ...TimedMessage[]]);
  });
  return messages.map((message, index) => {
    const equal = equals[index] as [TimedMessage, ...TimedMessage[]];
    return equal[0] === message
      ? { ...mergeMessages(equal), isCounted: message.at >= since }
      : { ...message, isCounted: false };
  });
}

const bringsError = ({ former, message: { message } }: AmendedObservation): boolean =>
  message.error !== null && message.error !== former.error;

interface LateRequest {
  messages: readonly RetainedMessage[];
  watches: ReadonlyMap<number, MachineWatch>;
  /** Keys of new observations. */
  isNew: ReadonlySet<string>;
  amended: readonly AmendedObservation[];
}

/**
 * Prolongs the state keys of late messages, and of newer ones in the same batch, between which stored keys may lie.
 * Returns the former values of the stored observations that changed, by machine.
 */
async function prolongLate(
  tx: Queries,
  { messages, watches, isNew, amended }: LateRequest,
): Promise<Map<number, ObservationRow[]>> {
  const changed = new Map<number, ObservationRow[]>();
  const keyedMessages = [...messages.filter(isKeyed), ...amended.flatMap(keyedPlaces)];
  const isLate = ({ machineId, at }: KeyedPlace) => second(at) <= (watches.get(machineId)?.observed ?? 0);
  const lateStretches = keyedStretches(keyedMessages.filter(isLate));
  if (lateStretches.length + amended.length === 0) return changed;
  const isKnown = new Set(isNew);
  for (const { former } of amended) {
    const { machine_id: machineId } = former;
    isKnown.add(keyOf({ machineId, ...former }));
    changed.set(machineId, [...(changed.get(machineId) ?? []), former]);
  }
  const withLate = new Set(lateStretches.map(streamOf));
  const newer = keyedStretches(keyedMessages.filter((place) => !isLate(place) && withLate.has(streamOf(place))));
  for (const stretch of [...lateStretches, ...newer]) {
    const { machineId } = stretch;
    const rows = (await prolongStored(tx, stretch)).filter((row) => !isKnown.has(keyOf({ machineId, ...row })));
    if (rows.length > 0) changed.set(machineId, [...(changed.get(machineId) ?? []), ...rows]);
  }
  return changed;
}

/** Places of both protocols: merging may move an observation, and thus its keys, from one to another. */
const keyedPlaces = ({ former: { machine_id, at, protocol }, now }: AmendedObservation): KeyedPlace[] =>
  now.own_keys === null ? [] : [protocol, now.protocol].map((name) => ({ machineId: machine_id, protocol: name, at }));

const affectsState = ({ kind }: { kind: string }) => !quietKinds.includes(kind);

interface RebuildRequest {
  observations: readonly StoredObservation[];
  watches: ReadonlyMap<number, MachineWatch>;
  now: Date;
}

/** Rebuilds and stores the timelines around changed observations. */
export async function rebuildTimelines(tx: Queries, request: RebuildRequest): Promise<TimelineChange[]> {
  const changes = await rebuild(tx, request);
  await storeChanges(tx, changes);
  return changes;
}

async function rebuild(tx: Queries, { observations, watches, now }: RebuildRequest): Promise<TimelineChange[]> {
  if (observations.length === 0) return [];
  const neighbourhoods = await neighboursOf(tx, observations);
  const ranges = [...neighbourhoods].flatMap(([machineId, ofMachine]) =>
    ofMachine.map((neighbourhood) => ({ machineId, ...rangeOf(neighbourhood) })),
  );
  const stored = await segmentsAround(tx, ranges);
  return [...neighbourhoods].map(([machineId, ofMachine]): TimelineChange => {
    const previous = stored.get(machineId) ?? [];
    const { observed: until, limits } = watches.get(machineId) ?? neverSeen;
    const newest = Math.max(...ofMachine.map(({ observation }) => second(observation.at)));
    return {
      machineId,
      stored: previous,
      segments: rebuildAround(previous, ofMachine, { now, limits }),
      until,
      untilNow: Math.max(until, newest),
    };
  });
}

const storeChanges = (tx: Queries, changes: readonly TimelineChange[]) =>
  storeSegments(
    tx,
    changes.map(({ machineId, stored, segments }): SegmentDiff => ({ machineId, ...diffSegments(stored, segments) })),
  );

const rangeOf = ({ before, observation, after }: ObservationNeighbourhood) => ({
  from: second((before ?? observation).at),
  to: after ? second(after.at) : null,
});

/** Additions to the daily sums: messages, areas and distances. */
async function countsOf(
  tx: Queries,
  newMessages: readonly TimedMessage[],
  observations: readonly StoredObservation[],
): Promise<Count[]> {
  const counts = newMessages.map(
    ({ machineId, at, message }): Count => ({ machineId, at, area: message.area ?? 0, distance: 0, messages: 1 }),
  );
  const [areas, positions] = await pipeline([
    newMessages.some(({ message }) => message.area_total !== null)
      ? marksAround(tx, observations, sql`o.area_total is not null`)
      : noMarks,
    newMessages.some(({ message }) => message.odometer !== null || message.position !== null || hasMapDistance(message))
      ? marksAround(tx, observations, marksDistance)
      : noMarks,
  ]);
  for (const [machineId, marks] of areas) counts.push(...stepsOf(machineId, marks, areaStep, 'area'));
  for (const [machineId, marks] of positions) counts.push(...stepsOf(machineId, marks, distanceStep, 'distance'));
  return counts;
}

const noMarks: ReturnType<typeof marksAround> = Promise.resolve(new Map());

async function updateTrackers(tx: Queries, messages: readonly TimedMessage[]): Promise<void> {
  await tx.rows(sql`
    update trackers_state s set last_seen = greatest(s.last_seen, latest.at)
    from (select id, max(at) as at from unnest(${sql.param(messages.map(({ trackerId }) => trackerId))}::int[],
      ${sql.param(messages.map(({ receivedAt }) => receivedAt.toISOString()))}::timestamptz[]) as input(id, at)
      group by id order by id) latest
    where s.id = latest.id`);
}
