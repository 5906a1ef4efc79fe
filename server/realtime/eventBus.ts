/**
 * Live events between all processes of a database: kept in the table `events`, announced by NOTIFY.
 *
 * Ids are given under a lock that is held until the commit, so they become visible in order and whoever has read up to
 * one has missed none.
 */
import { sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import type { EventBus, LiveEvent, NumberedEvent } from '../context/eventBus';
import type { Database, Queries } from '../db/core/database';

const channel = 'sweepline_events';
const lock = 7_335_112_020;
/** Minutes that events are kept for those who come back. */
const kept = 15;
const pruneEvery = 60_000;
/** Milliseconds that events wait for others: one announcement for all that many writers have to say at a time. */
const gathering = 50;
/** Events kept by one statement: while it runs nobody else's come through. */
const atOnce = 5000;
/** Events read at once. */
const batch = 1000;

/** Opens the bus of this process; `close` ends hearing and pruning. */
export async function createEventBus({
  db,
  log,
}: {
  db: Database;
  log: FastifyBaseLogger;
}): Promise<{ live: EventBus; close(): Promise<void> }> {
  const listeners = new Set<(events: readonly NumberedEvent[]) => void>();
  let last = await newest(db);
  let reading: Promise<void> | undefined;
  let again = false;
  let gathered: LiveEvent[] = [];
  let announcing: Promise<void> | undefined;

  async function announce(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, gathering));
    const events = gathered;
    [gathered, announcing] = [[], undefined];
    for (let from = 0; from < events.length; from += atOnce) await publish(db, events.slice(from, from + atOnce));
  }

  async function read(): Promise<void> {
    do {
      again = false;
      const events = await eventsAfter(db, last, batch);
      again ||= events.length === batch;
      last = events.at(-1)?.eventId ?? last;
      if (events.length > 0) for (const heard of listeners) heard(events);
    } while (again);
  }

  const catchUp = () => {
    again = true;
    reading ??= read()
      .catch((err: unknown) => log.warn({ err }, 'live events could not be read'))
      .finally(() => {
        reading = undefined;
      });
  };

  const stopListening = await db.listen(channel, catchUp);
  const timer = setInterval(() => {
    // Also makes good an announcement that was lost with a connection.
    catchUp();
    void prune(db).catch((err: unknown) => log.warn({ err }, 'old live events could not be removed'));
  }, pruneEvery);
  timer.unref();

  return {
    live: {
      get position() {
        return last;
      },
      publish: (events) => {
        if (events.length === 0) return Promise.resolve();
        gathered.push(...events);
        announcing ??= announce();
        return announcing;
      },
      subscribe: (heard) => {
        listeners.add(heard);
        return () => void listeners.delete(heard);
      },
    },
    close: async () => {
      clearInterval(timer);
      await announcing;
      await stopListening();
      await reading;
    },
  };
}

async function publish(db: Database, events: readonly LiveEvent[]): Promise<void> {
  const rows = JSON.stringify(
    events.map(({ entity, id, type, payload }) => ({ entity, row_id: id, type, payload: payload ?? null })),
  );
  // One statement and so one transaction. News is worth no wait for the disk: what it tells of is committed already.
  await db.rows(sql`
    with alone as materialized (select pg_advisory_xact_lock(${lock}), set_config('synchronous_commit', 'off', true)),
      kept as (
        insert into events (entity, row_id, type, payload)
        select entity, row_id, type, payload from alone, jsonb_to_recordset(${rows}::text::jsonb) as e(entity text,
        row_id int, type text, payload jsonb) returning 1
      )
    select pg_notify(${channel}, '') from (select count(*) from kept) written`);
}

async function newest(db: Queries): Promise<number> {
  return (await db.one<{ id: number }>(sql`select coalesce(max(id), 0) as id from events`))?.id ?? 0;
}

/** The events after one, in order. */
export async function eventsAfter(db: Queries, id: number, most: number): Promise<NumberedEvent[]> {
  const rows = await db.rows<{
    id: number;
    entity: string;
    row_id: number;
    type: LiveEvent['type'];
    payload: Record<string, unknown> | null;
  }>(sql`select id, entity, row_id, type, payload from events where id > ${id}::bigint order by id limit ${most}::int`);
  return rows.map(({ id: eventId, entity, row_id, type, payload }) => ({
    eventId,
    entity,
    id: row_id,
    type,
    ...(payload && { payload }),
  }));
}

/** The numbers of the oldest event that is kept and of the newest; `undefined` when there was none yet. */
export const keptEvents = (db: Queries): Promise<{ oldest: number; newest: number } | undefined> =>
  db.one(
    sql`select oldest, newest from (select min(id) as oldest, max(id) as newest from events) kept
      where newest is not null`,
  );

async function prune(db: Queries): Promise<void> {
  await db.rows(
    sql`delete from events where created_at < now() - ${kept}::int * interval '1 minute' and id < (select max(id)
      from events)`,
  );
  await db.rows(sql`delete from event_tickets where expires_at < now()`);
}
