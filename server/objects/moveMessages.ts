/**
 * Moves old raw messages from the database to the object storage, in packs of one day ordered by machine: a replay of a
 * machine reads one or two packs of a day. A message is in the database or in a pack that `raw_message_objects` names,
 * never in both or neither. A reader of both must hold the lock `advisoryLocks.messageObjects`.
 */
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type SQL, sql } from 'drizzle-orm';
import type { Services } from '../context/services';
import { advisoryLocks } from '../db/core/advisoryLocks';
import { pg } from '../db/core/rowShape';
import { type MessageRow, messageRowShape, printMessageLine } from './messageLines';
import { type MoveServices, roundTime } from './moveFiles';
import { announceRemoval, keepObject } from './objectRemoval';

const millisecondsPerDay = 86_400_000;
/** Maximum bytes of lines in a pack, before gzip. Limits the memory of the writer, and what a replay reads in vain. */
const maxPackBytes = 8 * 1024 * 1024;
/** Maximum messages in a pack. One statement deletes them; on the embedded database all others wait for it. */
const maxPackMessages = { pglite: 2000, postgres: 20_000 };
/** Messages and bytes of one statement that reads. */
const pageLimits = { messages: 500, bytes: 1024 * 1024 };

/** Instant before which received messages are moved: the start of a day in UTC. */
export function messagesMovedBefore({ env, now }: Pick<Services, 'env' | 'now'>): Date {
  const boundary = now().getTime() - env.rawDaysInDatabase * millisecondsPerDay;
  return new Date(boundary - (boundary % millisecondsPerDay));
}

/** Reads the time of receipt of the oldest message in the database. */
export const readOldestReceipt = async ({ db }: Pick<Services, 'db'>): Promise<Date | undefined> =>
  (await db.selectOne({ at: pg.timestamptz.nullable }, sql`select min(received_at) as at from raw_messages`))?.at ??
  undefined;

/** Number of days from the oldest message to the newest one that is old enough to be moved. */
export async function countWaitingDays(services: Pick<Services, 'db' | 'env' | 'now'>): Promise<number> {
  const oldest = await readOldestReceipt(services);
  return oldest
    ? Math.max(0, Math.ceil((messagesMovedBefore(services).getTime() - oldest.getTime()) / millisecondsPerDay))
    : 0;
}

/** Moves messages, the oldest day first, in one process. Returns how many. */
export async function moveMessages(services: MoveServices): Promise<number> {
  const { db, objects } = services;
  if (!objects || !(await db.claim(advisoryLocks.objectMover))) return 0;
  const end = Date.now() + roundTime;
  let movedCount = 0;
  while (Date.now() < end) {
    const oldest = await readOldestReceipt(services);
    if (!oldest || oldest >= messagesMovedBefore(services)) break;
    const pack = await readPack(services, new Date(oldest.getTime() - (oldest.getTime() % millisecondsPerDay)));
    await storePack(services, pack);
    movedCount += pack.ids.length;
  }
  return movedCount;
}

interface Pack {
  /** Start of the day. */
  from: Date;
  ids: number[];
  lines: Buffer[];
  /** Range of machine ids; null for messages without a machine. */
  machines: { from: number; to: number } | null;
  received: { from: Date; to: Date };
}

/** Reads the first messages of a day, by machine; messages without a machine come last, in packs of their own. */
async function readPack(services: MoveServices, from: Date): Promise<Pack> {
  const lines: Buffer[] = [];
  const ids: number[] = [];
  let size = 0;
  let last: MessageRow | undefined;
  let first: MessageRow | undefined;
  let receivedPeriod = { from: new Date(from.getTime() + millisecondsPerDay), to: from };
  while (ids.length < maxPackMessages[services.db.kind] && size < maxPackBytes) {
    const rows = await readPage(services, from, last);
    for (const row of rows) {
      const line = Buffer.from(printMessageLine(row));
      size += line.length;
      lines.push(line);
      ids.push(row.id);
      receivedPeriod = {
        from: row.received_at < receivedPeriod.from ? row.received_at : receivedPeriod.from,
        to: row.received_at > receivedPeriod.to ? row.received_at : receivedPeriod.to,
      };
    }
    first ??= rows[0];
    if (rows.length === 0) break;
    last = rows.at(-1);
  }
  const hasMachines = first?.machine_id != null && last?.machine_id != null;
  const machines = hasMachines ? { from: first?.machine_id as number, to: last?.machine_id as number } : null;
  return { from, ids, lines, machines, received: receivedPeriod };
}

/** Reads the next messages of the day, in the order of the index by machine, which saves sorting. */
const readPage = ({ db }: MoveServices, from: Date, last: MessageRow | undefined): Promise<MessageRow[]> =>
  db.transaction(async (tx) => {
    await tx.rows(sql`set local enable_sort = off`);
    const select = (where: SQL, order: SQL) =>
      tx.select(
        messageRowShape,
        sql`
        select id, received_at, protocol, device, tracker_id, machine_id, media_type, body from (
          select *, sum(length(body)) over (order by ${order}) - length(body) as bytes_before from (
            select * from raw_messages where received_at >= ${from.toISOString()}::timestamptz
            and received_at < ${from.toISOString()}::timestamptz + interval '1 day' and ${where}
            order by ${order} limit ${pageLimits.messages}::int
          ) next
        ) r where bytes_before < ${pageLimits.bytes}::int order by ${order}`,
      );
    const byTime = sql`received_at, id`;
    const lastTime = sql`(${(last?.received_at ?? from).toISOString()}::timestamptz, ${last?.id ?? 0}::bigint)`;
    if (!last || last.machine_id !== null) {
      const rows = await select(
        last
          ? sql`(machine_id, received_at, id) > (${last.machine_id}::int,
              ${last.received_at.toISOString()}::timestamptz, ${last.id}::bigint)`
          : sql`machine_id is not null`,
        sql`machine_id, received_at, id`,
      );
      if (rows.length > 0 || last) return rows;
    }
    return select(sql`machine_id is null and (received_at, id) > ${lastTime}`, byTime);
  });

async function storePack(
  { db, objects, now }: MoveServices,
  { from, ids, lines, machines, received }: Pack,
): Promise<void> {
  const dayText = from.toISOString().slice(0, 10);
  const key = `messages/${dayText}/${randomUUID()}.ndjson.gz`;
  const bytes = await promisify(gzip)(Buffer.concat(lines));
  await announceRemoval(db, key, now());
  await objects?.put(key, { bytes, mediaType: 'application/gzip' });
  const [receivedFrom, receivedTo] = [received.from.toISOString(), received.to.toISOString()];
  await db.transaction(async (tx) => {
    await tx.rows(sql`select pg_advisory_xact_lock(${advisoryLocks.messageObjects})`);
    const deletion = await tx.selectOne(
      { count: pg.integer },
      sql`with deleted as (delete from raw_messages where id = any(${sql.param(ids)}::bigint[])
        and received_at between ${receivedFrom}::timestamptz and ${receivedTo}::timestamptz returning 1)
        select count(*) as count from deleted`,
    );
    // A machine was purged meanwhile: its messages must not come back through this pack.
    if (deletion?.count !== ids.length)
      throw new Error('Messages were deleted while they were being moved; the next round retries.');
    await tx.rows(sql`
      insert into raw_message_objects
        (object_key, day, machine_from, machine_to, received_from, received_to, messages, size)
      values (${key}, ${dayText}::date, ${machines?.from ?? null}::int, ${machines?.to ?? null}::int,
        ${receivedFrom}::timestamptz, ${receivedTo}::timestamptz, ${ids.length}::int, ${bytes.length}::int)`);
    await keepObject(tx, key);
  });
}
