/** Entry point: reads the environment, opens the database, serves. */

import { readEnv } from '../context/env';
import { openProcess } from './openProcess';

await main().catch((error: unknown) => {
  // A bug needs its stack trace; for wrong settings or an unreachable database the message is enough.
  const isFault = !(error instanceof Error) || error instanceof TypeError || error instanceof ReferenceError;
  console.error(isFault ? error : error.message);
  process.exit(1);
});

async function main(): Promise<void> {
  const env = readEnv(process.env);
  const started = openProcess(env);
  // Loads the other modules while the embedded database starts in its own thread; they take half of the start-up time.
  const { runServer } = await import('./runServer');
  await runServer(env, started);
}
