/**
 * Global set-up of the end-to-end tests: starts the built product with its demo, once per worker, so that tests do not
 * affect each other; unless E2E_URL names a running one.
 */
import type { TestProject } from 'vitest/node';
import { type Server, startServer } from './server';

export async function setup({ config }: TestProject): Promise<() => Promise<void>> {
  const servers: Server[] = [];
  if (!process.env.E2E_URL) {
    // Sequential: each fills its database. All users sign in from one address.
    for (let nth = 0; nth < config.maxWorkers; nth += 1)
      servers.push(await startServer({ env: { RATE_LIMIT: 'off' } }));
    process.env.E2E_URLS = servers.map(({ url }) => url).join(',');
  }
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
  };
}

/** URL of the product for this worker. */
export function demoUrl(): string {
  const { E2E_URL, E2E_URLS = '', VITEST_POOL_ID } = process.env;
  const url = E2E_URL ?? E2E_URLS.split(',')[Number(VITEST_POOL_ID) - 1];
  if (!url) throw new Error('Run these tests by vitest: tests/support/demo.ts starts the servers.');
  return url;
}
