/** From messages to observations, timeline, sums and the state on the screen: one transaction for a list of messages of any machines. */
import { sql } from 'drizzle-orm';
import type { LiveEvent } from '../api/live';
import type { Queries } from '../db/database';
import { journey } from '../db/journey';
import type { Services } from '../services';
import { areaStep, distanceStep, stepsOf } from './counters';
import { addToDays, type Count } from './days';
import { explainAround } from './kept';
import { changesBetween, looksOf } from './look';
import { marksAround, neighboursOf, type Stored } from './neighbours';
import { observedSince, quietKinds } from './observation';
import { accountedFor, type Told } from './pieces';
import { showPresent, unheard, type Watched, watched } from './present';
import { type Change, segmentsAround, storeSegments } from './segments';
import { type Incoming, type Judged, storeMessages, type Timed, timed } from './store';
import { type Between, difference, retold, second } from './timeline';
import { logTrouble } from './trouble';

/**
 * Takes messages of known machines. Resolves after the commit; a message that was here before changes nothing and is as good as new.
 * Open pages hear of it after that.
 */
export async function ingest(services: Pick<Services, 'db' | 'env' | 'live' | 'now' | 'log'>, incoming: readonly Incoming[]): Promise<void> {
  const { events } = await services.db.transaction((tx) => ingestWithin(tx, incoming, { env: services.env, now: services.now() }));
  announce(services, events);
}

/** Tells open pages. The sender, whose messages are stored already, does not wait for it. */
export function announce({ live, log }: Pick<Services, 'live' | 'log'>, events: readonly LiveEvent[]): void {
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
  const [before, looked] = await journey([watched(tx, machineIds), looksOf(tx, machineIds)]);
  await explainAround(
    tx,
    messages.filter(({ message, isCounted }) => isCounted && isTelling(message)),
    before,
  );
  const [news] = await journey([storeMessages(tx, messages), sawTrackers(tx, messages)]);
  if (news.length === 0) return { stored: 0, events: [] };
  const isNew = new Set(news.map(keyOf));
  const fresh = messages.filter((one) => isNew.delete(keyOf({ ...one, kind: one.message.kind })));
  await logTrouble(tx, fresh);
  const [told, counts] = await journey([toldAnew(tx, { news: news.filter(isTelling), before, now }), countsOf(tx, fresh, news)]);
  const [, , , looks] = await journey([
    storeTold(tx, told),
    addToDays(tx, told.flatMap(accountedFor), counts),
    showPresent(tx, { told, fresh, before }),
    looksOf(tx, machineIds),
  ]);
  return { stored: news.length, events: changesBetween(looked, looks) };
}

const isTelling = ({ kind }: { kind: string }) => !quietKinds.includes(kind);

const keyOf = ({ machineId, at, kind }: Stored) => `${machineId} ${at.getTime()} ${kind}`;

interface Telling {
  news: readonly Stored[];
  before: ReadonlyMap<number, Watched>;
  now: Date;
}

/** Tells the timelines anew around the news, and stores them. */
export async function tellAnew(tx: Queries, telling: Telling): Promise<Told[]> {
  const told = await toldAnew(tx, telling);
  await storeTold(tx, told);
  return told;
}

async function toldAnew(tx: Queries, { news, before, now }: Telling): Promise<Told[]> {
  if (news.length === 0) return [];
  const around = await neighboursOf(tx, news);
  const stretches = [...around].flatMap(([machineId, betweens]) => betweens.map((between) => ({ machineId, ...stretchOf(between) })));
  const stored = await segmentsAround(tx, stretches);
  return [...around].map(([machineId, betweens]): Told => {
    const was = stored.get(machineId) ?? [];
    const { observed: until, limits } = before.get(machineId) ?? unheard;
    const newest = Math.max(...betweens.map(({ one }) => second(one.at)));
    return { machineId, stored: was, segments: retold(was, betweens, { now, limits }), until, untilNow: Math.max(until, newest) };
  });
}

const storeTold = (tx: Queries, told: readonly Told[]) =>
  storeSegments(
    tx,
    told.map(({ machineId, stored, segments }): Change => ({ machineId, ...difference(stored, segments) })),
  );

const stretchOf = ({ before, one, after }: Between) => ({ from: second((before ?? one).at), to: after ? second(after.at) : null });

/** What the news add to the counts of their days: messages, areas and distances. */
async function countsOf(tx: Queries, fresh: readonly Timed[], news: readonly Stored[]): Promise<Count[]> {
  const counts = fresh.map(({ machineId, at, message }): Count => ({ machineId, at, area: message.area ?? 0, distance: 0, messages: 1 }));
  const [areas, places] = await journey([
    fresh.some(({ message }) => message.area_total !== null) ? marksAround(tx, news, sql`o.area_total is not null`) : unmarked,
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
      ${sql.param(messages.map(({ receivedAt }) => receivedAt.toISOString()))}::timestamptz[]) as given(id, at) group by id order by id) seen
    where s.id = seen.id`);
}
