/**
 * Postpones by a day when the machines of a demo fall silent. They would do so five minutes after it was loaded, tens of
 * thousands at once, and the server would mark them offline and derive their runs in the middle of a measurement. A
 * separate process like crowd.ts.
 */
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { readEnv } from '../../server/context/env';
import { openDatabase } from '../../server/db/open/openDatabase';

const env = readEnv(process.env);
const db = await openDatabase({ databaseUrl: env.databaseUrl, dataDir: env.dataDir, log: pino({ level: 'warn' }) });
try {
  await db.rows(sql`update machine_watch set silent_at = silent_at + interval '1 day'`);
} finally {
  await db.close();
}
