/**
 * Moves the bytes of uploaded files from the database to the object storage. At any time a file is complete in at least
 * one of them: it is uploaded and verified first; then one transaction stores the key of the object and deletes the
 * bytes.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { Services } from '../context/services';
import { advisoryLocks } from '../db/core/advisoryLocks';
import { pg } from '../db/core/rowShape';
import { announceRemoval, keepObject } from './objectRemoval';

/** Maximum milliseconds of one round, so that a process that ends need not wait for a backlog. */
export const roundTime = 3000;

const millisecondsPerDay = 86_400_000;

export type MoveServices = Pick<Services, 'db' | 'env' | 'objects' | 'now'>;

/**
 * SQL condition: a file is old enough to be moved. Files of imports stay: jobs read them, and they expire in 30 days.
 */
const waitingFilesWhere = ({ env, now }: Pick<Services, 'env' | 'now'>): SQL => {
  const until = new Date(now().getTime() - env.filesAfterDays * millisecondsPerDay);
  return sql`bytes is not null and created_at <= ${until.toISOString()}::timestamptz and name not like 'imports/%'`;
};

/** Number of files that are old enough to be moved, and of their bytes. */
export const countWaitingFiles = async ({
  db,
  env,
  now,
}: Pick<Services, 'db' | 'env' | 'now'>): Promise<{ count: number; bytes: number }> =>
  (await db.selectOne(
    { count: pg.integer, bytes: pg.integer },
    sql`select count(*) as count, coalesce(sum(size), 0)::bigint as bytes from files
      where ${waitingFilesWhere({ env, now })}`,
  )) ?? { count: 0, bytes: 0 };

/** Moves files, the oldest first, in one process and one at a time. Returns how many. */
export async function moveFiles(services: MoveServices): Promise<number> {
  const { db, objects } = services;
  if (!objects || !(await db.claim(advisoryLocks.objectMover))) return 0;
  const end = Date.now() + roundTime;
  let movedCount = 0;
  while (Date.now() < end) {
    const file = await db.selectOne(
      { name: pg.text, media_type: pg.text, bytes: pg.bytea },
      sql`select name, media_type, bytes from files where ${waitingFilesWhere(services)}
        order by created_at, name limit 1`,
    );
    if (!file) break;
    if (await moveFile(services, { name: file.name, mediaType: file.media_type, bytes: file.bytes })) movedCount += 1;
  }
  return movedCount;
}

/** Returns false if the file changed during the upload; then the removal announced for its object takes place. */
async function moveFile(
  { db, objects, now }: MoveServices,
  { name, mediaType, bytes }: { name: string; mediaType: string; bytes: Uint8Array },
): Promise<boolean> {
  const key = `files/${randomUUID()}`;
  await announceRemoval(db, key, now());
  await objects?.put(key, { bytes, mediaType });
  const digest = createHash('sha256').update(bytes).digest();
  return db.transaction(async (tx) => {
    const stored = await tx.one(
      sql`update files set object_key = ${key}, digest = ${digest}, bytes = null
        where name = ${name} and bytes is not null and sha256(bytes) = ${digest} returning 1`,
    );
    if (stored) await keepObject(tx, key);
    return stored !== undefined;
  });
}
