/**
 * Event bus between all processes of a database: stores events in the table `events` and announces them by NOTIFY.
 *
 * Writers do not wait for each other, so ids become visible in any order. The bus delivers them in order: before it
 * skips a missing id, it waits for the transactions that may still commit it (`eventWriters.ts`).
 */
import { type SQL, sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import type { EventBus, LiveEvent, NumberedEvent } from '../context/eventBus';
import type { Database, Queries } from '../db/core/database';
import { pg } from '../db/core/rowShape';
import { awaitEventWriters, createWriterLock } from './eventWriters';

const channel = 'sweepline_events';
/** Retention of events in minutes, for listeners that reconnect. */
const keepMinutes = 15;
/** Milliseconds between two deletions of expired events. */
const pruneEvery = 60_000;
/** Milliseconds for which events of concurrent writers are collected for one announcement. */
const collectFor = 50;
/** Events per insert, limited because readers may wait for its commit. */
const insertLimit = 5000;
/** Events per read. */
const readLimit = 1000;

/** Creates the bus of this process; `close` ends listening and pruning. */
export async function createEventBus({
  db,
  log,
}: {
  db: Database;
  log: FastifyBaseLogger;
}): Promise<{ live: EventBus; close(): Promise<void> }> {
  const listeners = new Set<(events: readonly NumberedEvent[]) => void>();
  const writerLock = createWriterLock(db);
  let last = await newestEventId(db);
  // Afterwards no id up to `last` can become visible any more.
  await awaitEventWriters(db);
  let isClosed = false;
  let reading: Promise<void> | undefined;
  let isStale = false;
  let pendingEvents: LiveEvent[] = [];
  let announcing: Promise<void> | undefined;
  /** The latest insert. The next one follows it, so that a row's later values get the higher id. */
  let lastInsert: Promise<void> = Promise.resolve();

  async function announce(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, collectFor));
    const events = pendingEvents;
    [pendingEvents, announcing] = [[], undefined];
    const insert = lastInsert.catch(() => undefined).then(() => insertEvents(events));
    lastInsert = insert;
    await insert;
  }

  async function insertEvents(events: readonly LiveEvent[]): Promise<void> {
    for (let from = 0; from < events.length; from += insertLimit)
      await publish(db, events.slice(from, from + insertLimit), await writerLock());
  }

  async function read(): Promise<void> {
    do {
      isStale = false;
      const events = await readInOrder();
      last = events.at(-1)?.eventId ?? last;
      if (events.length > 0) for (const listener of listeners) listener(events);
    } while (isStale && !isClosed);
  }

  /**
   * Reads the events after `last` up to the first id that may still become visible. Sets `isStale` if there are more.
   */
  async function readInOrder(): Promise<readonly NumberedEvent[]> {
    const events = await eventsAfter(db, { id: last, limit: readLimit });
    const gap = events.findIndex(({ eventId }, index) => eventId !== last + index + 1);
    isStale ||= gap >= 0 || events.length === readLimit;
    if (gap !== 0) return gap < 0 ? events : events.slice(0, gap);
    // The missing ids were assigned before the newest event became visible: their transactions write now or have ended.
    await awaitEventWriters(db, () => isClosed);
    return isClosed ? [] : eventsAfter(db, { id: last, upTo: events.at(-1)?.eventId, limit: readLimit });
  }

  const catchUp = () => {
    isStale = true;
    reading ??= read()
      .catch((err: unknown) => log.warn({ err }, 'reading events failed'))
      .finally(() => {
        reading = undefined;
      });
  };

  const stopListening = await db.listen(channel, catchUp);
  const timer = setInterval(() => {
    // Also compensates for a notification lost with its connection.
    catchUp();
    void prune(db).catch((err: unknown) => log.warn({ err }, 'pruning events failed'));
  }, pruneEvery);
  timer.unref();

  return {
    live: {
      get position() {
        return last;
      },
      publish: (events) => {
        if (events.length === 0) return Promise.resolve();
        pendingEvents.push(...events);
        announcing ??= announce();
        return announcing;
      },
      subscribe: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    close: async () => {
      clearInterval(timer);
      // `publish` reports a failure; the rest must be closed all the same.
      await announcing?.catch(() => undefined);
      await lastInsert.catch(() => undefined);
      isClosed = true;
      await stopListening();
      await reading;
    },
  };
}

async function publish(db: Database, events: readonly LiveEvent[], writerLock: SQL): Promise<void> {
  const rows = JSON.stringify(
    events.map(({ entity, id, type, payload }) => ({ entity, row_id: id, type, payload: payload ?? null })),
  );
  // One statement, so one transaction. No sync to disk: the change that it announces is committed already.
  await db.rows(sql`
    with writer as materialized (select ${writerLock}, set_config('synchronous_commit', 'off', true)),
      published as (
        insert into events (entity, row_id, type, payload)
        select entity, row_id, type, payload from writer, json_to_recordset(${rows}::text::json) as e(entity text,
        row_id int, type text, payload jsonb) returning 1
      )
    select pg_notify(${channel}, '') from (select count(*) from published) counted`);
}

async function newestEventId(db: Queries): Promise<number> {
  return (await db.selectOne({ id: pg.integer }, sql`select coalesce(max(id), 0) as id from events`))?.id ?? 0;
}

interface EventRange {
  /** Id that precedes the first event. */
  id: number;
  /** Id of the last event, by default the newest. Beyond `EventBus.position`, some ids may not be visible yet. */
  upTo?: number | undefined;
  limit: number;
}

/** Visible events after an id, in order. */
export async function eventsAfter(db: Queries, { id, upTo, limit }: EventRange): Promise<NumberedEvent[]> {
  const rows = await db.select(
    {
      id: pg.integer,
      entity: pg.text,
      row_id: pg.integer,
      type: pg.text.as<LiveEvent['type']>(),
      payload: pg.json<Record<string, unknown>>().nullable,
    },
    sql`select id, entity, row_id, type, payload from events where id > ${id}::bigint
      and id <= coalesce(${upTo ?? null}::bigint, 9223372036854775807) order by id limit ${limit}::int`,
  );
  return rows.map(({ id: eventId, entity, row_id, type, payload }) => ({
    eventId,
    entity,
    id: row_id,
    type,
    ...(payload && { payload }),
  }));
}

/** Ids of the oldest retained event and of the newest; `undefined` if there never was one. */
export const retainedEvents = (db: Queries): Promise<{ oldest: number; newest: number } | undefined> =>
  db.selectOne(
    { oldest: pg.integer, newest: pg.integer },
    sql`select oldest, newest from (select min(id) as oldest, max(id) as newest from events) stored
      where newest is not null`,
  );

async function prune(db: Queries): Promise<void> {
  await db.rows(
    sql`delete from events where created_at < now() - ${keepMinutes}::int * interval '1 minute' and id < (select max(id)
      from events)`,
  );
  await db.rows(sql`delete from event_tickets where expires_at < now()`);
}
