/**
 * Runs once before the end-to-end tests: starts the built product with its demo fleet, once for each worker, so that no
 * story meets what another one does at the same time; unless E2E_URL names one that runs already.
 */
import type { TestProject } from 'vitest/node';
import { type Server, startServer } from './server';

export async function setup({ config }: TestProject): Promise<() => Promise<void>> {
  const servers: Server[] = [];
  if (!process.env.E2E_URL) {
    // One after the other: each fills its database. All people sign in from one address.
    for (let nth = 0; nth < config.maxWorkers; nth += 1)
      servers.push(await startServer({ env: { RATE_LIMIT: 'off' } }));
    process.env.E2E_URLS = servers.map(({ url }) => url).join(',');
  }
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
  };
}

/** The address of the product that the stories of this worker happen at. */
export function demoUrl(): string {
  const { E2E_URL, E2E_URLS = '', VITEST_POOL_ID } = process.env;
  const url = E2E_URL ?? E2E_URLS.split(',')[Number(VITEST_POOL_ID) - 1];
  if (!url) throw new Error('Run these tests by vitest: tests/support/demo.ts starts the servers.');
  return url;
}
