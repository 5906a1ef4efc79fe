/**
 * Global set-up of a test project: creates the databases of which every test file copies one. With
 * SWEEPLINE_TEST_DATABASE=postgres it starts a PostgreSQL server, unless TEST_DATABASE_URL names one on which databases
 * may be created.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { root } from './sources';
import { type Cluster, startCluster } from './startCluster';

export async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'sweepline-template-'));
  let cluster: Cluster | undefined;
  if (process.env.SWEEPLINE_TEST_DATABASE === 'postgres') {
    if (!process.env.TEST_DATABASE_URL) {
      cluster = await startCluster();
      process.env.TEST_DATABASE_URL = cluster.url;
    }
    process.env.TEST_TEMPLATE = `template_${process.pid}`;
    await executeOnServer(process.env.TEST_DATABASE_URL, `create database ${process.env.TEST_TEMPLATE}`);
    fillTemplates(folder, urlOf(process.env.TEST_DATABASE_URL, process.env.TEST_TEMPLATE));
  } else {
    process.env.TEST_TEMPLATE = join(folder, 'base');
    fillTemplates(folder);
  }
  process.env.TEST_WORLD = join(folder, 'world.json');
  return async () => {
    const { TEST_DATABASE_URL: url, TEST_TEMPLATE: template } = process.env;
    if (cluster) await cluster.stop();
    else if (url && template?.startsWith('template_'))
      for (const name of [template, worldTemplateOf(template)]) await executeOnServer(url, `drop database ${name}`);
    rmSync(folder, { recursive: true, force: true });
  };
}

const fillTemplates = (...args: string[]) =>
  execFileSync(process.execPath, ['--import', 'tsx', join(root, 'tests/support/fillTemplates.ts'), ...args], {
    cwd: root,
    stdio: 'inherit',
  });

/** Name or folder of the template that contains the tenants of `addWorld`, beside the one with the base rows. */
export const worldTemplateOf = (baseTemplate: string): string => `${baseTemplate}_world`;

/** URL of another database on the same server. */
export function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Executes a statement on a connection of its own. */
export async function executeOnServer(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}
