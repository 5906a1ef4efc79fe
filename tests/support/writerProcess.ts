/**
 * A process that opens an embedded database and writes as fast as possible. It prints each value once its write is
 * acknowledged.
 */
import { sql } from 'drizzle-orm';
import pino from 'pino';
import type * as openDatabaseModule from '../../server/db/open/openDatabase';
import { importServerModule } from './importServerModule';

const { openDatabase } = await importServerModule<typeof openDatabaseModule>('db/open/openDatabase');
const [dataDir = '', first = '0'] = process.argv.slice(2);
try {
  const db = await openDatabase({ dataDir, log: pino({ level: 'silent' }) });
  console.log('open');
  for (let index = Number(first); ; index += 1) {
    await db.transaction(async (tx) => {
      await tx.rows(sql`insert into types (name) values (${`T${index}`})`);
      await tx.rows(sql`insert into countries (name) values (${`C${index}`})`);
    });
    console.log(index);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
