/** The process: reads its environment, opens the database, and serves. */

import { readEnv } from '../context/env';
import { openProcess } from './openProcess';

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});

async function main(): Promise<void> {
  const env = readEnv(process.env);
  const begun = openProcess(env);
  // Everything else is loaded while the embedded database comes up in its thread: half of what a start takes.
  const { runServer } = await import('./runServer');
  await runServer(env, begun);
}
