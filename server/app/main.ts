/** Entry point: reads the environment, opens the database, serves. */

import { readEnv } from '../context/env';
import { openProcess } from './openProcess';

await main().catch((error: unknown) => {
  // A fault of the program needs its stack; wrong settings and an unreachable database are said in a sentence.
  const isFault = !(error instanceof Error) || error instanceof TypeError || error instanceof ReferenceError;
  console.error(isFault ? error : error.message);
  process.exit(1);
});

async function main(): Promise<void> {
  const env = readEnv(process.env);
  const started = openProcess(env);
  // Loads the rest while the embedded database starts in its thread: half of the start-up time.
  const { runServer } = await import('./runServer');
  await runServer(env, started);
}
