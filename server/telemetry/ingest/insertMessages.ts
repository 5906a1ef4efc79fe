/**
 * Inserts messages of machines that may already have observations around them: late messages, repeats, the first ones
 * of a machine. Reads the neighbours of each new observation and rebuilds the timeline between them.
 */
import { sql } from 'drizzle-orm';
import { addToGroup } from '../../../schema/dsl/addToGroup';
import type { Queries } from '../../db/core/database';
import { pipeline } from '../../db/core/pipeline';
import { areaStep, counterSteps, distanceStep } from '../timeline/counters';
import { addToDays, type Count } from '../timeline/days';
import { intervalDelta, type TimelineChange } from '../timeline/intervalDelta';
import { hasMapDistance } from '../timeline/mapDistance';
import {
  distanceMarkWhere,
  keyOf,
  readMarksAround,
  readNeighbours,
  type StoredObservation,
} from '../timeline/neighbours';
import { readSegmentsAround, type SegmentDiff, storeSegments } from '../timeline/segments';
import { readSnapshots, type Snapshots } from '../timeline/snapshots';
import { diffSegments, type ObservationNeighbourhood, rebuildAround, toEpochSeconds } from '../timeline/timeline';
import { type AmendedObservation, amendObservations } from './amendObservations';
import {
  buildKeyedStretches,
  carryForwardStoredKeys,
  isKeyed,
  type KeyedObservation,
  streamKey,
} from './keyedStretches';
import { type MachineWatch, neverSeen, rebuildState, updateMeasures, updateState } from './machineState';
import { rebuildTimeline } from './rebuildTimeline';
import { keyOfMessage } from './resolveTimes';
import { affectsState, type ObservationRow, type RetainedMessage, type TimedMessage } from './storeMessages';

interface InsertRequest {
  messages: readonly RetainedMessage[];
  /** The new observations of these messages. */
  stored: readonly StoredObservation[];
  watches: ReadonlyMap<number, MachineWatch>;
  now: Date;
}

interface InsertResult {
  /** Messages that became observations or changed stored ones. */
  messages: readonly TimedMessage[];
  /** The messages whose errors are new. */
  messagesWithNewErrors: readonly TimedMessage[];
  /** Snapshots of the changed machines, after the change. */
  snapshots: Snapshots;
}

/** Stores the consequences of messages. Must be called after the messages are stored. */
export async function insertMessages(
  tx: Queries,
  { messages, stored, watches, now }: InsertRequest,
): Promise<InsertResult> {
  const newKeys = new Set(stored.map(keyOf));
  const countedMessages = messages.filter(({ isCounted }) => isCounted);
  const newMessages = countedMessages.filter((message) => newKeys.has(keyOfMessage(message)));
  const amended = await amendObservations(
    tx,
    countedMessages.filter((message) => !newKeys.has(keyOfMessage(message))),
  );
  if (stored.length + amended.length === 0) return { messages: [], messagesWithNewErrors: [], snapshots: new Map() };
  const changedMachines = await carryForwardLateKeys(tx, { messages, watches, newKeys, amended });
  const isInOrder = ({ machineId }: { machineId: number }) => !changedMachines.has(machineId);
  const observations = stored.filter(isInOrder);
  const inOrderMessages = newMessages.filter(isInOrder);
  const [timelineChanges, counts] = await pipeline([
    buildTimelineChanges(tx, {
      observations: observations.filter((row) => affectsState({ message: row })),
      watches,
      now,
    }),
    readCounts(tx, inOrderMessages, observations),
  ]);
  const machineIds = [...new Set(messages.map(({ machineId }) => machineId))];
  const [, , , , snapshots] = await pipeline([
    storeChanges(tx, timelineChanges),
    addToDays(tx, timelineChanges.flatMap(intervalDelta), counts),
    updateState(tx, { changes: timelineChanges, newMessages: inOrderMessages, watches }),
    updateMeasures(tx, inOrderMessages, watches),
    readSnapshots(tx, machineIds),
  ]);
  for (const [machineId, removed] of changedMachines) {
    const { observedSeconds: until, policies } = watches.get(machineId) ?? neverSeen;
    const addedObservations = [...stored.filter((observation) => observation.machineId === machineId), ...removed];
    await rebuildTimeline(tx, {
      machineId,
      removed,
      added: addedObservations,
      until,
      clock: { now, policies },
    });
    await rebuildState(tx, machineId, policies);
  }
  return {
    messages: [...newMessages, ...amended.map(({ message }) => message)],
    messagesWithNewErrors: [...newMessages, ...amended.filter(hasNewError).map(({ message }) => message)],
    snapshots: changedMachines.size === 0 ? snapshots : await readSnapshots(tx, machineIds),
  };
}

const hasNewError = ({ former, message: { message } }: AmendedObservation): boolean =>
  message.error !== null && message.error !== former.error;

interface LateKeysRequest {
  messages: readonly RetainedMessage[];
  watches: ReadonlyMap<number, MachineWatch>;
  /** Keys of the new observations. */
  newKeys: ReadonlySet<string>;
  amended: readonly AmendedObservation[];
}

/**
 * Carries forward the state keys of late messages. Includes newer messages of the same batch, because stored
 * observations may lie in between. Returns the former values of the stored observations that changed, by machine.
 */
async function carryForwardLateKeys(
  tx: Queries,
  { messages, watches, newKeys, amended }: LateKeysRequest,
): Promise<Map<number, ObservationRow[]>> {
  const changedRows = new Map<number, ObservationRow[]>();
  const keyedMessages = [...messages.filter(isKeyed), ...amended.flatMap(keyedObservations)];
  const isLate = ({ machineId, at }: KeyedObservation) =>
    toEpochSeconds(at) <= (watches.get(machineId)?.observedSeconds ?? 0);
  const lateStretches = buildKeyedStretches(keyedMessages.filter(isLate));
  if (lateStretches.length + amended.length === 0) return changedRows;
  const reportedKeys = new Set(newKeys);
  for (const { former } of amended) {
    const { machine_id: machineId } = former;
    reportedKeys.add(keyOf({ machineId, ...former }));
    addToGroup(changedRows, machineId, former);
  }
  const lateStreams = new Set(lateStretches.map(streamKey));
  const newerStretches = buildKeyedStretches(
    keyedMessages.filter((observation) => !isLate(observation) && lateStreams.has(streamKey(observation))),
  );
  for (const stretch of [...lateStretches, ...newerStretches]) {
    const { machineId } = stretch;
    const rows = (await carryForwardStoredKeys(tx, stretch)).filter(
      (row) => !reportedKeys.has(keyOf({ machineId, ...row })),
    );
    for (const row of rows) addToGroup(changedRows, machineId, row);
  }
  return changedRows;
}

/**
 * The observation under both protocols, because merging may move it, and its keys with it, from one protocol to
 * another.
 */
const keyedObservations = ({
  former: { machine_id, at, protocol },
  current,
}: AmendedObservation): KeyedObservation[] =>
  current.own_keys === null
    ? []
    : [protocol, current.protocol].map((name) => ({ machineId: machine_id, protocol: name, at }));

interface RebuildRequest {
  observations: readonly StoredObservation[];
  watches: ReadonlyMap<number, MachineWatch>;
  now: Date;
}

/** Rebuilds and stores the timelines around changed observations. */
export async function rebuildTimelines(tx: Queries, request: RebuildRequest): Promise<TimelineChange[]> {
  const changes = await buildTimelineChanges(tx, request);
  await storeChanges(tx, changes);
  return changes;
}

async function buildTimelineChanges(
  tx: Queries,
  { observations, watches, now }: RebuildRequest,
): Promise<TimelineChange[]> {
  if (observations.length === 0) return [];
  const neighbourhoods = await readNeighbours(tx, observations);
  const ranges = [...neighbourhoods].flatMap(([machineId, neighbours]) =>
    neighbours.map((neighbourhood) => ({ machineId, ...rangeOf(neighbourhood) })),
  );
  const stored = await readSegmentsAround(tx, ranges);
  return [...neighbourhoods].map(([machineId, neighbours]): TimelineChange => {
    const previous = stored.get(machineId) ?? [];
    const { observedSeconds: until, policies } = watches.get(machineId) ?? neverSeen;
    const newestSeconds = Math.max(...neighbours.map(({ observation }) => toEpochSeconds(observation.at)));
    return {
      machineId,
      stored: previous,
      segments: rebuildAround(previous, neighbours, { now, policies }),
      until,
      untilNow: Math.max(until, newestSeconds),
    };
  });
}

const storeChanges = (tx: Queries, changes: readonly TimelineChange[]) =>
  storeSegments(
    tx,
    changes.map(({ machineId, stored, segments }): SegmentDiff => ({ machineId, ...diffSegments(stored, segments) })),
  );

const rangeOf = ({ before, observation, after }: ObservationNeighbourhood) => ({
  from: toEpochSeconds((before ?? observation).at),
  to: after ? toEpochSeconds(after.at) : null,
});

/** Additions to the daily sums: messages, areas and distances. */
async function readCounts(
  tx: Queries,
  newMessages: readonly TimedMessage[],
  observations: readonly StoredObservation[],
): Promise<Count[]> {
  const counts = newMessages.map(
    ({ machineId, at, message }): Count => ({ machineId, at, area: message.area ?? 0, distance: 0, messages: 1 }),
  );
  const [areas, positions] = await pipeline([
    newMessages.some(({ message }) => message.area_total !== null)
      ? readMarksAround(tx, observations, sql`o.area_total is not null`)
      : noMarks,
    newMessages.some(({ message }) => message.odometer !== null || message.position !== null || hasMapDistance(message))
      ? readMarksAround(tx, observations, distanceMarkWhere)
      : noMarks,
  ]);
  for (const [machineId, marks] of areas) counts.push(...counterSteps(machineId, marks, areaStep, 'area'));
  for (const [machineId, marks] of positions) counts.push(...counterSteps(machineId, marks, distanceStep, 'distance'));
  return counts;
}

const noMarks: ReturnType<typeof readMarksAround> = Promise.resolve(new Map());
