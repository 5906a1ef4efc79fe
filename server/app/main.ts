/** Entry point: reads the environment, opens the database, serves. */

import { readEnv } from '../context/env';
import { openProcess } from './openProcess';

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});

async function main(): Promise<void> {
  const env = readEnv(process.env);
  const started = openProcess(env);
  // Loads the rest while the embedded database starts in its thread: half of the start-up time.
  const { runServer } = await import('./runServer');
  await runServer(env, started);
}
