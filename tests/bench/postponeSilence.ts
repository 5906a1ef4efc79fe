/**
 * Postpones the silence of a demo's machines by a day. Five minutes after loading, tens of thousands would fall silent
 * at once, and the server would mark them Offline and derive their runs during a measurement. A separate process like
 * crowd.ts.
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
