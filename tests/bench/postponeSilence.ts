/**
 * Postpones by a day when a demo's machines count as silent. Otherwise tens of thousands would become silent five
 * minutes after loading, and the server would mark them Offline and derive their runs during a measurement. A separate
 * process, as in fillCrowd.ts.
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
