/** Rebuilds a machine's timeline and sums around deleted or added observations. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { areaStep, counterSteps, distanceStep, isDistanceMark } from '../timeline/counters';
import { addToDays, type Count } from '../timeline/days';
import { intervalDelta } from '../timeline/intervalDelta';
import {
  affectsTimelineWhere,
  distanceMarkWhere,
  keyOnMachine,
  markShape,
  readNeighbours,
  type StoredObservation,
} from '../timeline/neighbours';
import type { Mode, Reason } from '../timeline/observation';
import { readSegmentsAround, storeSegments } from '../timeline/segments';
import {
  type Clock,
  diffSegments,
  rebuildAround,
  type TimelineObservation,
  toEpochSeconds,
  withoutLeading,
} from '../timeline/timeline';

const countedShape = { ...markShape, area: pg.double.nullable };
/** Columns of an observation that affect the sums. */
type CountedObservation = RowOf<typeof countedShape>;

interface RebuildOptions {
  machineId: number;
  /** Observations that were deleted, with their former values. */
  removed: readonly CountedObservation[];
  /** Observations that were added. A changed one is in both lists. */
  added: readonly { at: Date; kind: string }[];
  /** Time up to which the open segment was counted, in seconds since 1970. */
  until: number;
  clock: Clock;
}

/** Rebuilds the timeline. Must be called after the observations were changed. */
export async function rebuildTimeline(
  tx: Queries,
  { machineId, removed, added, until, clock }: RebuildOptions,
): Promise<void> {
  const changedObservations = [...removed, ...added].map(
    ({ at, kind }): StoredObservation => ({ machineId, at, kind }),
  );
  const neighbourhoods = (await readNeighbours(tx, changedObservations)).get(machineId) ?? [];
  const firstObservation = await readFirstObservation(tx, machineId);
  const removedTimes = removed
    .map(({ at }) => toEpochSeconds(at))
    .filter((time) => !firstObservation || time < toEpochSeconds(firstObservation.at));
  const from = Math.min(
    ...neighbourhoods.map(({ before, observation }) => toEpochSeconds((before ?? observation).at)),
    ...removedTimes,
  );
  const stored = Number.isFinite(from)
    ? ((await readSegmentsAround(tx, [{ machineId, from, to: null }])).get(machineId) ?? [])
    : [];
  const remainingSegments =
    removedTimes.length > 0 ? withoutLeading(stored, Math.min(...removedTimes), firstObservation) : stored;
  const segments = rebuildAround(remainingSegments, neighbourhoods, clock);
  await storeSegments(tx, [{ machineId, ...diffSegments(stored, segments) }]);
  const newest = await tx.selectOne(
    { at: pg.timestamptz.nullable },
    sql`select max(at) as at from observations o where machine_id = ${machineId} and ${affectsTimelineWhere}`,
  );
  const untilNow = newest?.at ? toEpochSeconds(newest.at) : until;
  await addToDays(
    tx,
    intervalDelta({ machineId, stored, segments, until, untilNow }),
    await readCountChanges(tx, { machineId, removed, added }),
  );
}

/** The observation with which the timeline begins: the last one within the first second that has any. */
async function readFirstObservation(tx: Queries, machineId: number): Promise<TimelineObservation | undefined> {
  return tx.selectOne(
    {
      at: pg.timestamptz,
      kind: pg.text,
      state: pg.text.as<TimelineObservation['state']>(),
      reason: pg.text.as<Reason>(),
      mode: pg.text.as<Mode>().nullable,
      silence: pg.integer,
      limited: pg.boolean,
    },
    sql`select at, kind, state, reason, mode, 0 as silence, false as limited from observations o
      where machine_id = ${machineId} and ${affectsTimelineWhere} order by date_trunc('second', at), at desc, kind desc
      limit 1`,
  );
}

/** Changes to the daily sums: counts of the present observations minus counts of the former ones. */
async function readCountChanges(
  tx: Queries,
  { machineId, removed, added }: Pick<RebuildOptions, 'machineId' | 'removed' | 'added'>,
): Promise<Count[]> {
  const times = [...removed, ...added].map(({ at }) => at.getTime());
  const [from, to] = [new Date(Math.min(...times)).toISOString(), new Date(Math.max(...times)).toISOString()];
  const nearestTimesSql = (condition: ReturnType<typeof sql>) => sql`
    (select max(at) from observations o where machine_id = ${machineId} and at < ${from}::timestamptz and ${condition}),
    (select min(at) from observations o where machine_id = ${machineId} and at > ${to}::timestamptz and ${condition})`;
  const presentObservations = await tx.select(
    countedShape,
    sql`
    with edges as (select unnest(array[${nearestTimesSql(sql`area_total is not null`)},
    ${nearestTimesSql(distanceMarkWhere)}, ${from}::timestamptz, ${to}::timestamptz]) as at)
    select at, kind, state, odometer, area_total, latitude, longitude, attributes, area from observations
    where machine_id = ${machineId} and at between (select min(at) from edges) and (select max(at) from edges)
    order by at, kind`,
  );
  const addedKeys = new Set(added.map(keyOnMachine));
  const formerObservations = [
    ...presentObservations.filter((observation) => !addedKeys.has(keyOnMachine(observation))),
    ...removed,
  ].sort((a, b) => a.at.getTime() - b.at.getTime() || (a.kind < b.kind ? -1 : 1));
  return subtractCounts(countsOf(machineId, presentObservations), countsOf(machineId, formerObservations));
}

function countsOf(machineId: number, observations: readonly CountedObservation[]): Count[] {
  const marks = (predicate: (observation: CountedObservation) => boolean) =>
    observations.filter(predicate).map((observation) => ({ ...observation, isNew: true }));
  return [
    ...observations.map(({ at, area }) => ({ machineId, at, area: area ?? 0, distance: 0, messages: 1 })),
    ...counterSteps(
      machineId,
      marks((observation) => observation.area_total !== null),
      areaStep,
      'area',
    ),
    ...counterSteps(machineId, marks(isDistanceMark), distanceStep, 'distance'),
  ];
}

/** Subtracts counts. Equal counts cancel out first, so that sums of fractions stay exact where nothing changed. */
function subtractCounts(current: readonly Count[], former: readonly Count[]): Count[] {
  const keyOfCount = ({ at, area, distance, messages }: Count) => `${at.getTime()} ${area} ${distance} ${messages}`;
  const countsWithout = (counts: readonly Count[], others: readonly Count[]) => {
    const remaining = new Map<string, number>();
    for (const key of others.map(keyOfCount)) remaining.set(key, (remaining.get(key) ?? 0) + 1);
    return counts.filter((count) => {
      const key = keyOfCount(count);
      const equalCount = remaining.get(key) ?? 0;
      remaining.set(key, equalCount - 1);
      return equalCount <= 0;
    });
  };
  return [
    ...countsWithout(current, former),
    ...countsWithout(former, current).map(({ area, distance, messages, ...count }) => ({
      ...count,
      area: -area,
      distance: -distance,
      messages: -messages,
    })),
  ];
}
