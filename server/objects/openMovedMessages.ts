/** Reads raw messages of one machine back from the object storage, for a replay. */
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { type ObjectStorage, ObjectStorageUnavailable } from '../context/objectStorage';
import { advisoryLocks } from '../db/core/advisoryLocks';
import type { Queries } from '../db/core/database';
import { pg } from '../db/core/rowShape';
import { type MessageRecord, parseMessageLine } from './messageLines';

/** Messages per insert. */
const chunkSize = 500;

export interface MovedMessages {
  /**
   * Adds the machine's messages to the temporary table `moved_messages`, which has the columns of `raw_messages`. Reads
   * every pack with messages received between `from` and `to`, unless an earlier call has read it.
   * @throws ObjectStorageUnavailable
   */
  load(range: { from: Date; to: Date }): Promise<void>;
}

/** Creates the table in the transaction `tx`. No message is moved until `tx` ends. */
export async function openMovedMessages(
  tx: Queries,
  machineId: number,
  objects: ObjectStorage | undefined,
): Promise<MovedMessages> {
  await tx.rows(sql`select pg_advisory_xact_lock_shared(${advisoryLocks.messageObjects})`);
  await tx.rows(sql`create temporary table moved_messages on commit drop as
    select id, received_at, protocol, device, tracker_id, machine_id, media_type, body from raw_messages with no data`);
  await tx.rows(sql`create unique index on moved_messages (id)`);
  const loadedKeys = new Set<string>();
  return {
    async load({ from, to }) {
      const packs = await tx.select(
        { object_key: pg.text, size: pg.integer },
        sql`select object_key, size from raw_message_objects
          where machine_from <= ${machineId}::int and machine_to >= ${machineId}::int
          and received_from <= ${to.toISOString()}::timestamptz and received_to >= ${from.toISOString()}::timestamptz
          order by received_from, object_key`,
      );
      for (const { object_key, size } of packs) {
        if (loadedKeys.has(object_key)) continue;
        if (!objects)
          throw new ObjectStorageUnavailable('Messages are in the object storage, and FILES_URL is not set.');
        for await (const records of readRecords(objects, { key: object_key, size, machineId }))
          await insertRecords(tx, records);
        loadedKeys.add(object_key);
      }
    },
  };
}

async function* readRecords(
  objects: ObjectStorage,
  { key, size, machineId }: { key: string; size: number; machineId: number },
): AsyncGenerator<MessageRecord[]> {
  const lines = createGunzip();
  const decompression = pipeline(await objects.get(key, size), lines);
  // The failure ends the loop below, which then throws it.
  decompression.catch(() => undefined);
  let records: MessageRecord[] = [];
  for await (const line of linesOf(lines)) {
    const record = parseMessageLine(line, machineId);
    if (record) records.push(record);
    if (records.length < chunkSize) continue;
    yield records;
    records = [];
  }
  await decompression;
  if (records.length > 0) yield records;
}

/** Splits at line feeds only: `readline` also ends lines at U+2028, which JSON does not escape. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let tail: Buffer = Buffer.alloc(0);
  for await (const bytes of chunks) {
    tail = tail.length > 0 ? Buffer.concat([tail, bytes]) : bytes;
    let start = 0;
    for (let end = tail.indexOf(10); end >= 0; end = tail.indexOf(10, start)) {
      yield tail.toString('utf8', start, end);
      start = end + 1;
    }
    tail = tail.subarray(start);
  }
}

const insertRecords = (tx: Queries, records: readonly MessageRecord[]): Promise<unknown> =>
  tx.rows(sql`
    insert into moved_messages (id, received_at, protocol, device, tracker_id, machine_id, media_type, body)
    select id, received_at, protocol, device, tracker_id, machine_id, media_type, decode(body, 'base64')
    from jsonb_to_recordset(${JSON.stringify(records)}::text::jsonb) as r(id bigint, received_at timestamptz,
      protocol text, device text, tracker_id int, machine_id int, media_type text, body text)`);
