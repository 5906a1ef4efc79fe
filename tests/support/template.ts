/**
 * Fills the template database: `tsx template.ts <data directory> [database url]`. A separate process, because vitest's
 * set-up cannot start workers from sources.
 */
import pino from 'pino';
import { seedBase } from '../../server/db/base/seedBase';
import { openDatabase } from '../../server/db/open/openDatabase';

const [dataDir = '', databaseUrl] = process.argv.slice(2);
const db = await openDatabase({ dataDir, databaseUrl, log: pino({ level: 'warn' }) });
await seedBase(db);
await db.close();
