/**
 * A TypeScript client as an external developer would write it, with types generated from the served document and calls
 * over the network.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import openapiTypes from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword, storePassword } from '../../server/auth/password';
import { pg } from '../../server/db/core/rowShape';
import { root } from '../support/sources';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

const folder = mkdtempSync(join(tmpdir(), 'sweepline-client-'));
const clientSource = join(root, 'examples/typed-client/client.ts');
let app: TestApp;
let world: World;
let baseUrl: string;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  baseUrl = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}/api/v1`;
  writeFileSync(join(folder, 'sweepline-api.ts'), await openapiTypes(new URL(`${baseUrl}/openapi.json`)));
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Compiler diagnostics for a client with the types of this server. */
async function compileClient(client: string): Promise<string> {
  const options = {
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    paths: {
      'sweepline-api': [join(folder, 'sweepline-api.ts')],
      'openapi-fetch': [join(root, 'node_modules/openapi-fetch')],
    },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: [client] }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return promisify(execFile)(process.execPath, [tsc, '-p', folder]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

test('compiles with types generated from the served document', async () => {
  expect(await compileClient(clientSource)).toBe('');
});

test('does not compile with a missing call, parameter or field', async () => {
  const brokenClient = readFileSync(clientSource, 'utf8')
    .replace("'/reports/cleaning'", "'/reports/dusting'")
    .replace('per_page: 1', 'per_page: []')
    .replace('login.data;', 'login.data.user.nickname;');
  const client = join(folder, 'wrong.ts');
  writeFileSync(client, brokenClient);
  const problems = await compileClient(client);
  for (const name of ['/reports/dusting', "'number'", 'nickname']) expect(problems).toContain(name);
});

test('logs in, lists with a filter, changes, creates and reads a report', async () => {
  const client: { renameFleet: RenameFleet } = await import(clientSource);
  const account = { baseUrl: baseUrl, password: 'Right!Pass7' };
  const { email } = (await app.db.selectOne(
    { email: pg.text },
    sql`select email from users where id = ${world.admin}`,
  )) as {
    email: string;
  };
  const [fleet] = world.north.fleets;
  const { name } = (await app.db.selectOne({ name: pg.text }, sql`select name from fleets where id = ${fleet}`)) as {
    name: string;
  };
  const passwordHash = await hashPassword(account.password);
  await app.db.transaction((tx) => storePassword(tx, world.admin, { passwordHash }));

  const result = await client.renameFleet({ ...account, email }, { from: name, to: `${name} (old)`, month: '2026-09' });
  const rows = await app.db.rows(sql`select id, name from fleets where name like ${`${name}%`} order by id`);
  expect(rows).toEqual([
    { id: fleet, name: `${name} (old)` },
    { id: result.created, name },
  ]);
  expect(result.columns).toContain('planned_days');
  expect(result.total).toMatchObject({ level: 'total' });
});

interface Account {
  baseUrl: string;
  email: string;
  password: string;
}
type RenameFleet = (
  account: Account,
  change: { from: string; to: string; month: string },
) => Promise<{ renamed: string; created: number; columns: string[]; total: object }>;
