/**
 * `npm run seed -- --machines 100000 --seed 1`: loads a demo of any size into an empty database (DATABASE_URL, or the
 * embedded one in DATA_DIR).
 */
import { parseArgs } from 'node:util';
import pino from 'pino';
import { readEnv } from '../../server/context/env';
import { seedBase } from '../../server/db/base/seedBase';
import { openDatabase } from '../../server/db/open/openDatabase';
import { isDatabaseEmpty, seedWholeDemo } from './demo';

const { values } = parseArgs({
  options: { machines: { type: 'string', default: '1500' }, seed: { type: 'string', default: '1' } },
});
const [machines, seed] = [Number(values.machines), Number(values.seed)];
if (!Number.isInteger(machines) || machines < 1 || !Number.isInteger(seed))
  throw new Error('--machines must be a positive integer, and --seed an integer.');

const env = readEnv(process.env);
const db = await openDatabase({
  databaseUrl: env.databaseUrl,
  dataDir: env.dataDir,
  log: pino({ level: env.logLevel }),
  // A single statement writes the history of all machines, which takes minutes for a million of them.
  answerTimeout: 3_600_000,
});
try {
  await seedBase(db);
  if (await isDatabaseEmpty(db)) {
    const startedAt = Date.now();
    await seedWholeDemo(db, { machines, seed });
    console.log(`Loaded ${machines} machines in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
  } else {
    console.error(
      'The database already contains clients or machines. The demo can be loaded into an empty database only.',
    );
    process.exitCode = 1;
  }
} finally {
  await db.close();
}
