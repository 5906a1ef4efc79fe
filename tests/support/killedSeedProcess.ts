/**
 * Loads a demo and kills itself halfway, like a power failure: `tsx tests/support/killedSeedProcess.ts <data directory>
 * <machines> <statements before the kill>`.
 */
import pino from 'pino';
import { seedWholeDemo } from '../../demo/seed/demo';
import type { Database, Queries } from '../../server/db/core/database';
import { openDatabase } from '../../server/db/open/openDatabase';

const [dataDir = '', machines, statements] = process.argv.slice(2);
const db = await openDatabase({ databaseUrl: process.env.DATABASE_URL, dataDir, log: pino({ level: 'silent' }) });
let remainingStatements = Number(statements);
const countStatements = (tx: Queries): Queries =>
  new Proxy(tx, {
    get: (target, name, receiver) => {
      remainingStatements -= 1;
      if (remainingStatements === 0) process.kill(process.pid, 'SIGKILL');
      return Reflect.get(target, name, receiver);
    },
  });
const killedDatabase: Database = { ...db, transaction: (work) => db.transaction((tx) => work(countStatements(tx))) };
await seedWholeDemo(killedDatabase, { machines: Number(machines) });
console.log(`There were ${Number(statements) - remainingStatements} statements.`);
await db.close();
