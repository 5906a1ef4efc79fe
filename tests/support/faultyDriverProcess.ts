/**
 * A process whose database driver repeatedly throws outside of any promise: `tsx tests/support/faultyDriverProcess.ts
 * <data directory> <faults>`.
 */
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import type * as faultGuardModule from '../../server/app/faultGuard';
import type * as openDatabaseModule from '../../server/db/open/openDatabase';
import { importServerModule } from './importServerModule';

const { guardProcess } = await importServerModule<typeof faultGuardModule>('app/faultGuard');
const { openDatabase } = await importServerModule<typeof openDatabaseModule>('db/open/openDatabase');
const [dataDir = '', faults = '1'] = process.argv.slice(2);
const db = await openDatabase({ dataDir, log: pino({ level: 'silent' }) });
guardProcess({ db, log: pino(pino.destination({ sync: true })), exit: () => process.exit(1) });

const filename = createRequire(import.meta.url).resolve('postgres');
for (let index = 0; index < Number(faults); index += 1) {
  // Thrown from the driver's folder, like an error in a callback of its socket.
  setImmediate(() =>
    new Script(`throw new TypeError("Cannot read properties of undefined (reading 'queue')")`, {
      filename,
    }).runInThisContext(),
  );
  // Later faults occur without a running statement, since each of those restarts the embedded database.
  if (index < 2) await db.rows(sql`insert into types (name) values (${`T${index}`})`).catch(() => undefined);
  else await new Promise((resolve) => setImmediate(resolve));
}
await new Promise((resolve) => setTimeout(resolve, 200));
console.log(JSON.stringify({ answer: await db.one(sql`select 1 as one`) }));
await db.close();
