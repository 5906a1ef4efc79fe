/**
 * Postpones by a day when the demo's machines become Offline: `tsx keepMachinesPresent.ts <data directory>`. Without
 * messages all would be Offline after ten minutes. A separate process, because vitest's set-up cannot start workers
 * from sources.
 */
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { openDatabase } from '../../server/db/open/openDatabase';

const [dataDir = ''] = process.argv.slice(2);
const db = await openDatabase({ dataDir, log: pino({ level: 'warn' }) });
await db.rows(sql`update machine_watch set silent_at = silent_at + interval '1 day'`);
await db.close();
