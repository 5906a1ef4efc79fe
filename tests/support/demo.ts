/**
 * Global set-up of the end-to-end tests. Starts the built product with its demo once per worker, so that tests do not
 * affect each other, unless E2E_URL names a running one. The demo with its whole history is loaded once and copied:
 * otherwise each server would load the older part while tests use it, at twice the cost.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { root } from './sources';
import { type Server, startServer } from './startServer';

export async function setup({ config }: TestProject): Promise<() => Promise<void>> {
  if (process.env.E2E_URL) return async () => {};
  const folder = mkdtempSync(join(tmpdir(), 'sweepline-demo-'));
  const template = join(folder, 'template');
  seedTemplate(template);
  const servers = await Promise.all(
    Array.from({ length: config.maxWorkers }, (_, index) => startCopy(template, join(folder, String(index)))),
  );
  process.env.E2E_URLS = servers.map(({ url }) => url).join(',');
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
    // The browser only sees the status 500 of these errors, so they are printed here.
    for (const line of servers.flatMap((server) => server.errors())) console.error(line);
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Builds if the sources have changed, as `npm start` does, and fills a new data directory. */
function seedTemplate(dataDir: string): void {
  const postponeOffline = ['--import', 'tsx', 'tests/support/postponeOffline.ts'];
  for (const args of [['scripts/build.mjs'], ['dist/demo/seed/cli.js'], postponeOffline])
    execFileSync(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH: process.env.PATH, NODE_ENV: 'production', LOG_LEVEL: 'warn', DATA_DIR: dataDir },
    });
}

function startCopy(template: string, dataDir: string): Promise<Server> {
  cpSync(template, dataDir, { recursive: true });
  // No rate limit, since all users log in from one address. No simulation: tests create the machines that they move,
  // and reports of 1500 others would be a tenth of the processor time.
  return startServer({ dataDir, env: { RATE_LIMIT: 'off', SWEEPLINE_DEMO_SIMULATOR: '0' } });
}

/** URL of the product for this worker. */
export function demoUrl(): string {
  const { E2E_URL, E2E_URLS = '', VITEST_POOL_ID } = process.env;
  const url = E2E_URL ?? E2E_URLS.split(',')[Number(VITEST_POOL_ID) - 1];
  if (!url) throw new Error('Run these tests by vitest: tests/support/demo.ts starts the servers.');
  return url;
}
