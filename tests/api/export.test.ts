/**
 * List exports: framed with a row count, so that a truncated file is detected, and stopped when the client disconnects.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseListQuery } from '../../schema/dsl/listQuery';
import { entities } from '../../schema/index';
import { loadCallerOfUser } from '../../server/auth/loadCaller';
import type { Caller } from '../../server/context/caller';
import { exportFile } from '../../server/crud/export/exportRoute';
import type { Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { pieceShape } from '../../server/files/sendSheet';
import { contentOf, framesHeader, parseFrames, readRowCount } from '../support/framedFile';
import { add } from '../support/rows';
import { databaseKind, startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let url: string;
let token: string;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  token = await app.createSessionToken(world.admin);
  url = `${await app.app.listen({ port: 0, host: '127.0.0.1' })}/api/v1`;
});
afterAll(() => app.close());

describe('framed export', () => {
  test.each(['csv', 'xlsx'])('contains the same %s file, with the number of its rows at the end', async (format) => {
    const path = `machines/export?format=${format}&columns=serial_number,fleet_id&sort=-serial_number`;
    const plainResponse = await app.call(world.admin, 'GET', path);
    const { headers, bytes } = await app.call(world.admin, 'GET', path, undefined, framesHeader);
    const frames = parseFrames(bytes);
    expect(headers['content-type']).toBe(framesHeader.accept);
    expect(headers['content-disposition']).toBe(plainResponse.headers['content-disposition']);
    expect(contentOf(frames).length).toBe(plainResponse.bytes.length);
    // A workbook contains the time at which it was written.
    if (format === 'csv') expect(contentOf(frames).equals(plainResponse.bytes)).toBe(true);
    expect(readRowCount(bytes)).toBe(16);
  });

  test('reports zero rows for an empty list', async () => {
    const { bytes } = await app.call(
      world.admin,
      'GET',
      'machines/export?filter[serial_number]=nobody',
      undefined,
      framesHeader,
    );
    expect(readRowCount(bytes)).toBe(0);
  });
});

test('exports contain the counts that the list shows; exports for reimport reject them', async () => {
  const response = await app.call(
    world.admin,
    'GET',
    `fleets/export?columns=name,machines&filter[client_id]=${world.north.client}&sort=name`,
  );
  expect(response.text.split('\r\n').slice(1, 3)).toEqual(['North Fleet 1,4', 'North Fleet 2,4']);
  expect((await app.call(world.admin, 'GET', 'fleets/export?columns=name,machines&raw=1')).status).toBe(400);
});

test('exports omit linked rows in the bin, as the list does', async () => {
  const [kept, deleted] = [
    await add(app.db, 'fleets', { name: 'Kept', client_id: world.north.client }),
    await add(app.db, 'fleets', { name: 'Deleted', client_id: world.north.client }),
  ];
  const user = await add(app.db, 'users', { language_id: world.language, fleet_ids: [kept, deleted] });
  await app.db.rows(sql`update fleets set deleted_at = now() where id = ${deleted}`);
  for (const query of ['', '&raw=1'])
    expect(
      (await app.call(world.admin, 'GET', `users/export?columns=fleet_ids&filter[id]=${user}${query}`)).text.split(
        '\r\n',
      )[1],
    ).toBe(query === '' ? 'Kept' : `[${kept}]`);
});

test('exports and previews name references only to callers who may see the referenced entity', async () => {
  const role = await add(app.db, 'roles', { name: 'Counts machines', scope: 'all' });
  const codes = ['machines.list', 'machines.export'];
  await app.db.rows(
    sql`insert into roles_permissions (roles_id, permissions_id) select ${role}, id from permissions
      where code_name = any(${codes}::text[])`,
  );
  const user = await add(app.db, 'users', { language_id: world.language, role_ids: [role] });
  const [machine, fleet] = [world.north.machines[0], world.north.fleets[0]];
  const path = `machines/export?columns=fleet_id&filter[id]=${machine}`;
  expect((await app.call(user, 'GET', path)).text.split('\r\n')[1]).toBe(String(fleet));
  expect((await app.call(world.admin, 'GET', path)).text.split('\r\n')[1]).toBe('North Fleet 1');
  const preview = (caller: number) => app.call(caller, 'POST', 'machines/tally', { by: 'fleet_id', ids: [machine] });
  expect((await preview(user)).body).toMatchObject({ data: [{ value: fleet, label: null }] });
  expect((await preview(world.admin)).body).toMatchObject({ data: [{ value: fleet, label: 'North Fleet 1' }] });
});

/** Exports in progress: active statements on a server, or open cursors in the embedded database. */
const countRunningExports = async () => {
  const query =
    databaseKind === 'postgres'
      ? sql`select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'active' and query like 'declare stream%'`
      : sql`select count(*)::int as n from pg_cursors where name like 'stream%'`;
  return (await app.db.selectOne({ n: pg.integer }, query))?.n;
};
const countLockWaits = async (db: Queries) =>
  (
    await db.selectOne(
      { n: pg.integer },
      sql`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  )?.n;
const pollOptions = { timeout: 10_000 };

test('closing the connection stops the export', async () => {
  const controller = new AbortController();
  const startDownload = () =>
    fetch(`${url}/machines/export`, { headers: { authorization: `Bearer ${token}` }, signal: controller.signal });
  if (databaseKind === 'postgres') {
    await app.db.transaction(async (tx) => {
      // Blocks the statement of the export.
      await tx.rows(sql`lock table machines in access exclusive mode`);
      const download = startDownload()
        .then((response) => response.text())
        .catch((error: Error) => error.name);
      await expect.poll(() => countLockWaits(tx), pollOptions).toBe(1);
      controller.abort();
      expect(await download).toBe('AbortError');
      await expect.poll(() => countLockWaits(tx), pollOptions).toBe(0);
    });
  } else {
    await startDownload();
    controller.abort();
  }
  await expect.poll(countRunningExports, pollOptions).toBe(0);
  expect((await app.call(world.admin, 'GET', 'machines/export')).status).toBe(200);
});

describe('a single pass returns the same batches as one statement per batch', () => {
  const machineCount = 2_300;

  beforeAll(async () => {
    await app.db.rows(sql`insert into machines (serial_number, fleet_id, custom_type, note)
      select 'many-' || n, ${world.south.fleets[0]}, case when n % 3 = 0 then '=A;"' || n end, 'x' from
      generate_series(1, ${machineCount}::int) n`);
    await app.db.rows(sql`insert into machines_state (id) select id from machines on conflict do nothing`);
  });

  const exportPieces = async (
    caller: Caller,
    name: string,
    query: string,
    isOnePass: boolean,
    format: 'csv' | 'xlsx',
  ) => {
    const entity = app.services.model.require(name);
    const columns = Object.keys(entity.fields).filter((field) => entity.list.columns.includes(field));
    const { statement } = exportFile(
      { entity, caller, query: parseListQuery(query) },
      { format, delimiter: ';', columns, isOnePass },
    );
    const pieces: { piece: string; rows: number }[] = [];
    for await (const batch of app.db.stream(pieceShape, statement))
      pieces.push(...batch.map(({ piece, rows }) => ({ piece: piece.toString(), rows })));
    return pieces;
  };

  test.each(entities.map(({ name }) => name))('for %s', async (name) => {
    for (const user of [world.admin, world.users.customer_admin])
      for (const query of ['', 'sort=-id', 'filter[id]=>5&sort=id'])
        for (const format of ['csv', 'xlsx'] as const) {
          const caller = (await loadCallerOfUser(app.db, user)) as Caller;
          const expected = await exportPieces(caller, name, query, false, format);
          expect(await exportPieces(caller, name, query, true, format), query).toEqual(expected);
        }
  });

  test.each([
    'sort=serial_number',
    'sort=-last_seen',
    'sort=status,-fleet.name',
    'sort=-location.city&filter[note]=x',
  ])('for many machines with %s, a thousand rows per batch', async (query) => {
    const caller = (await loadCallerOfUser(app.db, world.admin)) as Caller;
    const expected = await exportPieces(caller, 'machines', query, false, 'csv');
    const pieces = await exportPieces(caller, 'machines', query, true, 'csv');
    expect(pieces).toEqual(expected);
    expect(pieces.map((piece) => piece.rows).slice(0, 2)).toEqual([1000, 1000]);
    expect(pieces.length).toBe(3);
  });
});
