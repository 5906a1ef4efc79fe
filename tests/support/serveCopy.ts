/** Opens a copy of the test database, or starts a server on it that a test can kill. */
import pino from 'pino';
import type { Database } from '../../server/db/core/database';
import { openDatabase } from '../../server/db/open/openDatabase';
import { type Server, startServer } from './startServer';
import type { DatabaseCopy } from './startTestApp';

export const openDatabaseCopy = (copy: DatabaseCopy, dataDir: string): Promise<Database> =>
  openDatabase({ databaseUrl: copy.url, dataDir, log: pino({ level: 'silent' }) });

export const startServerOnCopy = (
  copy: DatabaseCopy,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Server> =>
  startServer({
    fromSources: true,
    dataDir,
    env: {
      ...(copy.url ? { DATABASE_URL: copy.url } : {}),
      SWEEPLINE_DEMO: '0',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'fatal',
      ...env,
    },
  });
