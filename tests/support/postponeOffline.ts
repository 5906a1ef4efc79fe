/**
 * Postpones by a day when the demo's machines become Offline, on the database of the environment. Without messages all
 * would be Offline after minutes, while tests use them or during a measurement. A separate process, because vitest's
 * set-up and the bench cannot start workers from sources.
 */
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { readEnv } from '../../server/context/env';
import { openDatabase } from '../../server/db/open/openDatabase';

const { databaseUrl, dataDir } = readEnv(process.env);
const db = await openDatabase({ databaseUrl, dataDir, log: pino({ level: 'warn' }) });
try {
  await db.rows(sql`update machine_watch set silent_at = silent_at + interval '1 day'`);
} finally {
  await db.close();
}
