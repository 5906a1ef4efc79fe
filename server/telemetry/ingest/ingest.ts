/**
 * From messages to observations, timeline, sums and the state on the screen: one transaction for a list of messages of
 * any machines.
 */
import { sql } from 'drizzle-orm';
import type { LiveEvent } from '../../context/eventBus';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pipeline } from '../../db/core/pipeline';
import { areaStep, distanceStep, stepsOf } from '../timeline/counters';
import { addToDays, type Count } from '../timeline/days';
import { intervalDelta, type TimelineChange } from '../timeline/intervalDelta';
import { marksAround, neighboursOf, type Stored } from '../timeline/neighbours';
import { observedSince, quietKinds } from '../timeline/observation';
import { type SegmentDiff, segmentsAround, storeSegments } from '../timeline/segments';
import { diffSnapshots, readSnapshots } from '../timeline/snapshot';
import { diffSegments, type ObservationNeighbourhood, rebuildAround, second } from '../timeline/timeline';
import { logTrouble } from './machineLog';
import { lockWatches, type MachineWatch, neverSeen, updateState } from './machineState';
import { materializeObservationsAround } from './materializeObservations';
import { type Incoming, type Judged, storeMessages, type Timed, timed } from './store';

/**
 * Takes messages of known machines. Resolves after the commit; a message that was here before changes nothing and is as
 * good as new. Open pages hear of it after that.
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

/** Tells open pages. The sender, whose messages are stored already, does not wait for it. */
export function publishIngested({ live, log }: Pick<Services, 'live' | 'log'>, events: readonly LiveEvent[]): void {
  void live.publish(events).catch((err: unknown) => log.warn({ err }, 'news of machines could not be published'));
}

/** The same inside a transaction: how many messages were new, and what open pages are to hear after the commit. */
export async function ingestWithin(
  tx: Queries,
  incoming: readonly Incoming[],
  { env, now }: { env: Services['env']; now: Date },
): Promise<{ stored: number; events: LiveEvent[] }> {
  if (incoming.length === 0) return { stored: 0, events: [] };
  const since = observedSince({ env, now });
  const messages = incoming.map((one): Judged => {
    const message = timed(one);
    return { ...message, isCounted: message.at >= since };
  });
  const machineIds = [...new Set(messages.map(({ machineId }) => machineId))].sort((a, b) => a - b);
  const [before, looked] = await pipeline([lockWatches(tx, machineIds), readSnapshots(tx, machineIds)]);
  await materializeObservationsAround(
    tx,
    messages.filter(({ message, isCounted }) => isCounted && isTelling(message)),
    before,
  );
  const [news] = await pipeline([storeMessages(tx, messages), sawTrackers(tx, messages)]);
  if (news.length === 0) return { stored: 0, events: [] };
  const isNew = new Set(news.map(keyOf));
  const fresh = messages.filter((one) => isNew.delete(keyOf({ ...one, kind: one.message.kind })));
  await logTrouble(tx, fresh);
  const [told, counts] = await pipeline([
    toldAnew(tx, { news: news.filter(isTelling), before, now }),
    countsOf(tx, fresh, news),
  ]);
  const [, , , looks] = await pipeline([
    storeTold(tx, told),
    addToDays(tx, told.flatMap(intervalDelta), counts),
    updateState(tx, { told, fresh, before }),
    readSnapshots(tx, machineIds),
  ]);
  return { stored: news.length, events: diffSnapshots(looked, looks) };
}

const isTelling = ({ kind }: { kind: string }) => !quietKinds.includes(kind);

const keyOf = ({ machineId, at, kind }: Stored) => `${machineId} ${at.getTime()} ${kind}`;

interface Telling {
  news: readonly Stored[];
  before: ReadonlyMap<number, MachineWatch>;
  now: Date;
}

/** Tells the timelines anew around the news, and stores them. */
export async function rebuildTimelines(tx: Queries, telling: Telling): Promise<TimelineChange[]> {
  const told = await toldAnew(tx, telling);
  await storeTold(tx, told);
  return told;
}

async function toldAnew(tx: Queries, { news, before, now }: Telling): Promise<TimelineChange[]> {
  if (news.length === 0) return [];
  const around = await neighboursOf(tx, news);
  const stretches = [...around].flatMap(([machineId, betweens]) =>
    betweens.map((between) => ({ machineId, ...stretchOf(between) })),
  );
  const stored = await segmentsAround(tx, stretches);
  return [...around].map(([machineId, betweens]): TimelineChange => {
    const was = stored.get(machineId) ?? [];
    const { observed: until, limits } = before.get(machineId) ?? neverSeen;
    const newest = Math.max(...betweens.map(({ one }) => second(one.at)));
    return {
      machineId,
      stored: was,
      segments: rebuildAround(was, betweens, { now, limits }),
      until,
      untilNow: Math.max(until, newest),
    };
  });
}

const storeTold = (tx: Queries, told: readonly TimelineChange[]) =>
  storeSegments(
    tx,
    told.map(({ machineId, stored, segments }): SegmentDiff => ({ machineId, ...diffSegments(stored, segments) })),
  );

const stretchOf = ({ before, one, after }: ObservationNeighbourhood) => ({
  from: second((before ?? one).at),
  to: after ? second(after.at) : null,
});

/** What the news add to the counts of their days: messages, areas and distances. */
async function countsOf(tx: Queries, fresh: readonly Timed[], news: readonly Stored[]): Promise<Count[]> {
  const counts = fresh.map(
    ({ machineId, at, message }): Count => ({ machineId, at, area: message.area ?? 0, distance: 0, messages: 1 }),
  );
  const [areas, places] = await pipeline([
    fresh.some(({ message }) => message.area_total !== null)
      ? marksAround(tx, news, sql`o.area_total is not null`)
      : unmarked,
    fresh.some(({ message }) => message.odometer !== null || message.position !== null)
      ? marksAround(tx, news, sql`(o.odometer is not null or o.latitude is not null)`)
      : unmarked,
  ]);
  for (const [machineId, course] of areas) counts.push(...stepsOf(machineId, course, areaStep, 'area'));
  for (const [machineId, course] of places) counts.push(...stepsOf(machineId, course, distanceStep, 'distance'));
  return counts;
}

const unmarked: ReturnType<typeof marksAround> = Promise.resolve(new Map());

async function sawTrackers(tx: Queries, messages: readonly Timed[]): Promise<void> {
  await tx.rows(sql`
    update trackers_state s set last_seen = greatest(s.last_seen, seen.at)
    from (select id, max(at) as at from unnest(${sql.param(messages.map(({ trackerId }) => trackerId))}::int[],
      ${sql.param(messages.map(({ receivedAt }) => receivedAt.toISOString()))}::timestamptz[]) as given(id, at)
      group by id order by id) seen
    where s.id = seen.id`);
}
