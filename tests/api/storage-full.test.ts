/**
 * Full storage: writes are rejected with a message and leave nothing behind, reads continue, `/readyz` fails, and
 * everything recovers automatically.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { requestBodies } from '../support/requestBodies';
import { nextNumber } from '../support/rows';
import { databaseKind, type Method, startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

const ampleSpace = 10 * 1024 ** 3;
let freeSpace = ampleSpace;
let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld({ freeBytes: async () => freeSpace }));
});
afterAll(() => app.close());
afterEach(async () => {
  freeSpace = ampleSpace;
  await app.services.storage.check();
});

const countTypes = async () =>
  (await app.db.selectOne({ n: pg.integer }, sql`select count(*)::int as n from types`))?.n;
const fetchReadyStatus = async () => (await app.call<{ message: string }>(undefined, 'GET', '/readyz')).status;
const createType = (language = 'en') =>
  app.call<{ message: string }>(
    world.admin,
    'POST',
    'types',
    { ...requestBodies.types(), name: `Full ${nextNumber()}` },
    { 'page-language': language },
  );

const withFailingInserts = async (code: string, work: () => Promise<void>) => {
  await app.db.rows(
    sql.raw(
      `create function no_room() returns trigger language plpgsql as $$ begin raise exception 'could not extend file "base/5/16778"' using errcode = '${code}'; end $$`,
    ),
  );
  await app.db.rows(sql`create trigger no_room before insert on types for each row execute function no_room()`);
  try {
    await work();
  } finally {
    await app.db.rows(sql`drop function no_room cascade`);
  }
};

describe('a statement that runs out of space', () => {
  test.each([
    ['on the disk', '53100'],
    ['in memory', '53200'],
  ])('%s is rejected with 507 in the language of the page, with Retry-After', async (_name, code) => {
    const countBefore = await countTypes();
    await withFailingInserts(code, async () => {
      const { status, headers, body } = await createType('de');
      expect([status, headers['retry-after'], body.message]).toEqual([
        507,
        '30',
        expect.stringContaining('Speicherplatz'),
      ]);
      const changeResponse = await app.call(world.admin, 'PUT', 'types', {
        ids: [world.type],
        data: { name: `Full ${nextNumber()}` },
      });
      expect(changeResponse.status).toBe(200);
    });
    expect(await countTypes()).toBe(countBefore);
    expect((await createType()).status).toBe(201);
  });
});

test('a request that meets a full disk is rejected with 507, too', async () => {
  const { db } = app.services;
  const { select } = db;
  // Throws the error that Linux returns when a full disk is written to.
  const failWithDiskFull = () => {
    const file = openSync('/dev/full', 'w');
    try {
      writeSync(file, 'x');
    } finally {
      closeSync(file);
    }
  };
  app.services.db.select = async (...args) => {
    failWithDiskFull();
    return select(...args);
  };
  try {
    expect((await app.call(world.admin, 'GET', `types/${world.type}`)).status).toBe(507);
  } finally {
    db.select = select;
  }
  expect((await app.call(world.admin, 'GET', `types/${world.type}`)).status).toBe(200);
});

describe('with little free space on the data disk', () => {
  test('/readyz fails, and recovers automatically', async () => {
    expect(await fetchReadyStatus()).toBe(200);
    freeSpace = 4 * 1024 ** 2;
    expect(await fetchReadyStatus()).toBe(507);
    freeSpace = ampleSpace;
    expect(await fetchReadyStatus()).toBe(200);
  });

  if (databaseKind === 'pglite')
    test('the embedded database rejects writes before it would crash, and still serves reads', async () => {
      const countBefore = await countTypes();
      const path = `types/${world.type}`;
      const writes: [Method, string, object | undefined][] = [
        ['POST', 'types', requestBodies.types()],
        ['POST', 'machines', { ...requestBodies.machines(), fleet_id: world.north.fleets[0] }],
        [
          'POST',
          'users',
          {
            ...requestBodies.users(),
            language_id: world.language,
            role_ids: [world.roles.operator],
            client_id: world.north.client,
          },
        ],
        ['PUT', path, { name: 'Full' }],
        ['PATCH', 'types', { ids: [world.type], data: { name: 'Full' } }],
        ['DELETE', `machines/${world.north.machines[0]}`, undefined],
      ];
      // Caches the caller, as for a user who is active.
      expect((await app.call(world.admin, 'GET', path)).status).toBe(200);
      freeSpace = 4 * 1024 ** 2;
      await app.services.storage.check().catch(() => undefined);
      for (const [method, target, body] of writes) {
        const {
          status,
          headers,
          body: response,
        } = await app.call<{ message: string }>(world.admin, method, target, body, { 'page-language': 'sv' });
        expect([method, target, status, headers['retry-after'], response.message]).toEqual([
          method,
          target,
          507,
          '30',
          expect.stringContaining('Lagringsutrymmet'),
        ]);
      }
      const login = await app.call(undefined, 'POST', 'login', {
        email: 'nobody@example.com',
        password: 'nothing of the kind',
      });
      expect(login.status).toBe(507);
      for (const readPath of ['types', path, 'machines?include=fleet', 'audit', 'dashboard'])
        expect([readPath, (await app.call(world.admin, 'GET', readPath)).status]).toEqual([readPath, 200]);
      expect(await countTypes()).toBe(countBefore);
      freeSpace = 70 * 1024 ** 2;
      expect([await fetchReadyStatus(), (await createType()).status]).toEqual([507, 507]);
      freeSpace = ampleSpace;
      expect([await fetchReadyStatus(), (await createType()).status]).toEqual([200, 201]);
    });
  else
    test('a database server manages its own space', async () => {
      freeSpace = 4 * 1024 ** 2;
      expect([await fetchReadyStatus(), (await createType()).status]).toEqual([507, 201]);
    });
});
