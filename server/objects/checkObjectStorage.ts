/** Checks the object storage at the start. Nothing waits for the result, since everything else works without it. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Services } from '../context/services';

/** Stores and removes an object; without `FILES_URL`, checks whether objects were moved before. Logs any problem. */
export async function checkObjectStorage({
  db,
  log,
  objects,
}: Pick<Services, 'db' | 'log' | 'objects'>): Promise<void> {
  try {
    if (objects) {
      const key = `checks/${randomUUID()}`;
      await objects.put(key, { bytes: Buffer.from('Sweepline'), mediaType: 'text/plain' });
      await objects.remove(key);
    } else if (
      await db.one(sql`select 1 from files where bytes is null union all select 1 from raw_message_objects limit 1`)
    )
      log.error(
        'FILES_URL is not set, but files or messages are in the object storage: they cannot be read until it is set',
      );
  } catch (err) {
    log.error({ err }, 'FILES_URL: the object storage cannot be used; what is there cannot be read, nothing is moved');
  }
}
