/** Contract of `Database`, for the embedded database and PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codesOf, defaultPermissionsOf, entities } from '../../schema/index';
import { countryNames, seedBase } from '../../server/db/base/seedBase';
import { type Database, ForeignKeyViolation, UniqueViolation } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { foldCounts } from '../../server/db/core/writeCounts';
import { committedMigrations } from '../../server/db/migrations/migrate';
import { openDatabase } from '../../server/db/open/openDatabase';
import { createDeferred } from '../support/deferred';
import { type Cluster, startCluster } from '../support/startCluster';

const log = pino({ level: 'silent' });
const folder = mkdtempSync(join(tmpdir(), 'sweepline-db-'));
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** SQL: the sum of the write counts of some tables. */
const writeCountSql = (relations: readonly string[]) =>
  sql`(select coalesce(sum(n), 0)::float8 from write_counts where relation = any(${[...relations]}::text[]))`;

for (const kind of ['pglite', 'postgres'] as const)
  describe(kind, () => {
    let db: Database;
    beforeAll(async () => {
      db = await openDatabase({ databaseUrl: kind === 'postgres' ? cluster.url : undefined, dataDir: folder, log });
      await seedBase(db);
    });
    afterAll(() => db?.close());

    const addMachine = async (serial: string) => {
      const createdRow = await db.selectOne(
        { id: pg.integer },
        sql`insert into machines (serial_number, fleet_id) values (${serial}, ${await ensureFleet()}) returning id`,
      );
      return createdRow?.id as number;
    };
    const ensureFleet = async () => {
      const row = await db.selectOne({ id: pg.integer }, sql`select id from fleets limit 1`);
      if (row) return row.id;
      const client = await db.selectOne(
        { id: pg.integer },
        sql`
        insert into clients (name, building, street, city, postal_code, country_id) select 'Elbe', '1', 'Kai', 'Hamburg', '01067', min(id) from countries returning id`,
      );
      return (
        await db.selectOne(
          { id: pg.integer },
          sql`insert into fleets (name, client_id) values ('North', ${client?.id}) returning id`,
        )
      )?.id as number;
    };
    const readWriteCount = async (...relations: string[]) =>
      (await db.selectOne({ n: pg.integer }, sql`select ${writeCountSql(relations)} as n`))?.n as number;

    describe('values', () => {
      test('are returned with the declared types', async () => {
        expect(
          await db.one(sql`select 1::int as i, 9007199254740991::bigint as big, 1.5::float8 as f, 1.10::numeric(12,2) as money, true as yes, null as nothing,
            '2024-02-29'::date as day, '2024-02-29T12:00:00.123Z'::timestamptz as at, '{"a":[1,"x"]}'::jsonb as json, '{"b":2}'::json as plain,
            array['a','b"c',null] as words, array[1,2] as numbers, '\\x0001ff'::bytea as bytes`),
        ).toEqual({
          i: 1,
          big: 9007199254740991,
          f: 1.5,
          money: '1.10',
          yes: true,
          nothing: null,
          day: '2024-02-29',
          at: new Date('2024-02-29T12:00:00.123Z'),
          json: { a: [1, 'x'] },
          plain: { b: 2 },
          words: ['a', 'b"c', null],
          numbers: [1, 2],
          bytes: Buffer.from([0, 1, 255]),
        });
      });

      const specialText = 'ü 😀 \\ \' " $1 % _ \n\t';
      const values = [
        ['text of any kind', sql`${specialText}::text`, specialText],
        ['a date', sql`${new Date(5)}::timestamptz`, new Date(5)],
        ['numbers', sql`${[1, 2, 3]}::int[]`, [1, 2, 3]],
        ['no numbers', sql`${[]}::int[]`, []],
        [
          'words',
          sql`${['a,b', '{}', 'NULL', '', '"', '\\', specialText]}::text[]`,
          ['a,b', '{}', 'NULL', '', '"', '\\', specialText],
        ],
        ['booleans', sql`${[true, false]}::boolean[]`, [true, false]],
        ['dates', sql`${[new Date(1), new Date(2)]}::timestamptz[]`, [new Date(1), new Date(2)]],
        ['an object', sql`${{ a: { b: [1, null, 'x'] } }}::jsonb`, { a: { b: [1, null, 'x'] } }],
        ['JSON text', sql`${'{"a":1}'}::jsonb`, { a: 1 }],
        ['bytes', sql`${new Uint8Array([0, 39, 92, 255])}::bytea`, Buffer.from([0, 39, 92, 255])],
        ['numbers and null', sql`${[1, null, 3]}::int[]`, [1, null, 3]],
        [
          'rows of numbers',
          sql`${[[1, 2], [3, 4]]}::int[]`,
          [
            [1, 2],
            [3, 4],
          ],
        ],
        ['objects in an array', sql`${[{ a: '"' }, { b: [2] }]}::jsonb[]`, [{ a: '"' }, { b: [2] }]],
        ['an array as JSON', sql`${[1, 'x']}::jsonb`, [1, 'x']],
        ['nothing', sql`${null}::text`, null],
      ] as const;
      for (const [name, value, expected] of values)
        test(`are returned unchanged: ${name}`, async () => {
          for (const _ of ['first', 'prepared', 'again'])
            expect((await db.selectOne({ v: pg.json() }, sql`select ${value} as v`))?.v).toEqual(expected);
        });

      test('JSON as text is exactly what the database printed', async () => {
        expect(await db.rows({ text: 'select json_build_object($1::text, 1.0)::text as json', params: ['ä'] })).toEqual(
          [{ json: '{"ä" : 1.0}' }],
        );
      });

      test('a million bytes can be sent and received', async () => {
        const bytes = new Uint8Array(1_000_000).map((_, i) => i % 251);
        const row = await db.selectOne({ b: pg.bytea }, sql`select ${bytes}::bytea as b`);
        expect(Buffer.compare(row?.b as Buffer, Buffer.from(bytes))).toBe(0);
      });
    });

    describe('a transaction', () => {
      test('commits when it resolves and rolls back when it throws', async () => {
        await db.transaction((tx) => tx.rows(sql`insert into types (name) values ('Kept')`));
        const failingTransaction = db.transaction(async (tx) => {
          await tx.rows(sql`insert into types (name) values ('Lost')`);
          throw new Error('changed my mind');
        });
        await expect(failingTransaction).rejects.toThrow('changed my mind');
        expect(await db.rows(sql`select name from types where name in ('Kept', 'Lost')`)).toEqual([{ name: 'Kept' }]);
      });

      test('hides uncommitted changes from others', async () => {
        const release = createDeferred();
        const inserted = createDeferred();
        const pendingWrite = db.transaction(async (tx) => {
          await tx.rows(sql`insert into types (name) values ('Half')`);
          inserted.resolve();
          await release.promise;
          throw new Error('no');
        });
        await inserted.promise;
        const visibleRows = db.rows(sql`select 1 from types where name = 'Half'`);
        release.resolve();
        await expect(pendingWrite).rejects.toThrow('no');
        expect(await visibleRows).toEqual([]);
      });

      test('is retried after a serialization failure, and returns its last result', async () => {
        let attempts = 0;
        const result = await db.transaction(async (tx) => {
          attempts += 1;
          if (attempts < 3) await tx.rows(sql`do $$ begin raise exception 'once more' using errcode = '40001'; end $$`);
          return attempts;
        });
        expect(result).toBe(3);
      });

      test('leaves the connection usable after a failed statement', async () => {
        await expect(db.transaction((tx) => tx.rows(sql`select 1/0`))).rejects.toThrow('division by zero');
        expect(await Promise.all([1, 2, 3].map((n) => db.one(sql`select ${n}::int as n`)))).toEqual([
          { n: 1 },
          { n: 2 },
          { n: 3 },
        ]);
      });
    });

    describe('errors', () => {
      test('name the unique key', async () => {
        await addMachine('SL-1');
        const second = addMachine('SL-1');
        await expect(second).rejects.toBeInstanceOf(UniqueViolation);
        await expect(second).rejects.toMatchObject({ constraint: 'machines_serial_number_key' });
      });

      test('name the foreign key', async () => {
        await expect(
          db.rows(sql`insert into machines (serial_number, fleet_id) values ('X', 999999)`),
        ).rejects.toMatchObject({
          constraint: 'machines_fleet_id_fkey',
        });
        await addMachine('SL-2');
        await expect(db.rows(sql`delete from fleets`)).rejects.toBeInstanceOf(ForeignKeyViolation);
      });

      test('of one statement do not affect concurrent ones', async () => {
        const results = await Promise.allSettled([
          db.one(sql`select 1 as n`),
          db.rows(sql`select nonsense`),
          db.one(sql`select 2 as n`),
        ]);
        expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      });
    });

    describe('tables', () => {
      test('release a unique value when its row moves to the bin', async () => {
        const id = await addMachine('SL-3');
        await db.rows(sql`update machines set deleted_at = now() where id = ${id}`);
        expect(await addMachine('SL-3')).toBeGreaterThan(id);
      });

      test('compare e-mail addresses ignoring case', async () => {
        const addUser = (email: string) =>
          db.rows(
            sql`insert into users (first_name, last_name, email, language_id) select 'A', 'B', ${email}, min(id) from languages`,
          );
        await addUser('Ada@Example.com');
        await expect(addUser('ada@example.COM')).rejects.toMatchObject({ constraint: 'users_email_key' });
      });

      test('create the side row with the row', async () => {
        const id = await addMachine('SL-4');
        expect(await db.one(sql`select status, battery, operating_time from machines_state where id = ${id}`)).toEqual({
          status: 'Offline',
          battery: null,
          operating_time: 0,
        });
      });

      test('increment versions, whatever the writer sends', async () => {
        const id = await addMachine('SL-5');
        await db.rows(sql`update machines set note = 'a', version = 40 where id = ${id}`);
        await db.rows(sql`update machines set note = 'b' where id = ${id}`);
        expect(
          await db.one(sql`select version, updated_at >= created_at as later from machines where id = ${id}`),
        ).toEqual({ version: 3, later: true });
      });

      test('reject an unknown choice and a number out of bounds', async () => {
        const id = await addMachine('SL-6');
        await expect(db.rows(sql`update machines_state set status = 'Flying' where id = ${id}`)).rejects.toThrow(
          'machines_state_status_check',
        );
        await expect(db.rows(sql`update machines set price = -1 where id = ${id}`)).rejects.toThrow(
          'machines_price_check',
        );
      });

      test('have an index over all rows for every foreign key', async () => {
        // Before it deletes a row, PostgreSQL looks for rows that reference it; without such an index it scans the
        // whole table.
        const unindexedColumns = await db.select(
          { key: pg.text },
          sql`select c.conname::text as key from pg_constraint c where c.contype = 'f' and not exists (
            select from pg_index i where i.indrelid = c.conrelid and i.indpred is null and i.indisvalid
            and (i.indkey::int2[])[0 : cardinality(c.conkey) - 1] @> c.conkey)`,
        );
        expect(unindexedColumns).toEqual([]);
      });

      test('page in the order of an index, from the index alone', async () => {
        await db.rows(sql`
          insert into machines (serial_number, fleet_id) select 'M-' || lpad(n::text, 6, '0'), ${await ensureFleet()} from generate_series(1, 5000) n`);
        await db.rows(sql`vacuum (analyze) machines`);
        const plan = await db.select(
          { 'QUERY PLAN': pg.text },
          sql`explain select id from machines where deleted_at is null order by serial_number collate "und-x-icu", id limit 10 offset 3000`,
        );
        expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain(
          'Index Only Scan using machines_serial_number_idx',
        );
        const search = await db.select(
          { 'QUERY PLAN': pg.text },
          sql`explain select id from machines where deleted_at is null and serial_number ilike '%004711%'`,
        );
        expect(search.map((line) => line['QUERY PLAN']).join('\n')).toContain('machines_serial_number_trgm');
      });
    });

    describe('write counts', () => {
      test('increase with every committed write to a table and with no other', async () => {
        const countBefore = await readWriteCount('machines');
        const id = await addMachine('SL-7');
        expect(await readWriteCount('machines')).toBe(countBefore + 1);
        await db.rows(sql`update machines set note = 'x' where id = ${id}`);
        expect(await readWriteCount('machines')).toBe(countBefore + 2);
        await db.rows(sql`update machines_state set battery = 50 where id = ${id}`);
        await db.rows(sql`select * from machines`);
        expect(await readWriteCount('machines')).toBe(countBefore + 2);
        await db
          .transaction(async (tx) => {
            await tx.rows(sql`delete from machines where id = ${id}`);
            throw new Error('rolled back');
          })
          .catch(() => undefined);
        expect(await readWriteCount('machines')).toBe(countBefore + 2);
        await db.rows(sql`delete from machines where id = ${id}`);
        expect(await readWriteCount('machines')).toBe(countBefore + 3);
      });

      test('include writes to link tables, which decide access', async () => {
        const countBefore = await readWriteCount('users_roles');
        await db.rows(
          sql`insert into users_roles (users_id, roles_id) select max(users.id), min(roles.id) from users, roles`,
        );
        expect(await readWriteCount('users_roles')).toBe(countBefore + 1);
      });

      test('validate a cached count correctly under parallel writers', async () => {
        const countOnce = async () =>
          (await db.selectOne(
            { n: pg.integer, writes: pg.integer },
            sql`select count(*) as n, ${writeCountSql(['machines'])} as writes from machines`,
          )) as {
            n: number;
            writes: number;
          };
        const countsByWrites = new Map<number, Set<number>>();
        const fleetId = await ensureFleet();
        const writers = Array.from({ length: 4 }, async (_, writerIndex) => {
          for (let i = 0; i < 25; i += 1)
            await db.rows(
              sql`insert into machines (serial_number, fleet_id) values (${`W${writerIndex}-${i}`}, ${fleetId})`,
            );
        });
        let isWriting = true;
        const reader = (async () => {
          while (isWriting) {
            const { n, writes } = await countOnce();
            countsByWrites.set(writes, (countsByWrites.get(writes) ?? new Set()).add(n));
          }
        })();
        await Promise.all(writers);
        isWriting = false;
        await reader;
        expect(countsByWrites.size).toBeGreaterThan(1);
        for (const counts of countsByWrites.values()) expect(counts.size).toBe(1);
      });

      test('keep their sum when the counter rows of closed connections are merged', async () => {
        await db.rows(sql`insert into write_counts values ('machines', 999999, 7)`);
        const countBefore = await readWriteCount('machines');
        await foldCounts(db);
        expect(await readWriteCount('machines')).toBe(countBefore);
        expect(await db.rows(sql`select 1 from write_counts where backend = 999999`)).toEqual([]);
      });
    });

    describe('a stream', () => {
      test('returns every row once, in batches, while other queries run in between', async () => {
        const sizes: number[] = [];
        const receivedIds: number[] = [];
        for await (const rows of db.stream(
          { n: pg.integer },
          sql`select n from generate_series(1, ${25}::int) n order by n`,
          10,
        )) {
          sizes.push(rows.length);
          receivedIds.push(...rows.map(({ n }) => n));
          expect(await db.one(sql`select 1 as one`)).toEqual({ one: 1 });
        }
        expect(sizes).toEqual([10, 10, 5]);
        expect(receivedIds).toEqual(Array.from({ length: 25 }, (_, i) => i + 1));
      });

      test('shows one snapshot, regardless of concurrent writes', async () => {
        const countBefore = (await db.selectOne({ n: pg.integer }, sql`select count(*) as n from types`))?.n as number;
        let count = 0;
        for await (const rows of db.stream({ name: pg.text }, sql`select name from types order by name`, 1)) {
          if (count === 0)
            await db.rows(sql`insert into types (name) select 'Streamed ' || n from generate_series(1, 5) n`);
          count += rows.length;
        }
        expect(count).toBe(countBefore);
      });

      test('can end early without leaving anything open', async () => {
        for (let i = 0; i < 6; i += 1)
          for await (const rows of db.stream({ n: pg.integer }, sql`select n from generate_series(1, 100) n`, 10))
            if (rows.length > 0) break;
        expect(await db.rows(sql`select 1 from pg_cursors where name like 'stream%'`)).toEqual([]);
      });

      test('throws the error of the statement', async () => {
        const readStream = async () => {
          for await (const _ of db.stream(
            { n: pg.integer },
            sql`select 1 / (3 - n) as n from generate_series(1, 5) n`,
            1,
          ))
            await Promise.resolve();
        };
        await expect(readStream()).rejects.toThrow('division by zero');
      });
    });

    test('notifications arrive until the listener stops', async () => {
      const payloads: string[] = [];
      const unlisten = await db.listen('news', (payload) => payloads.push(payload));
      const unlistenSecond = await db.listen('news', (payload) => payloads.push(`second ${payload}`));
      await db.rows(sql`select pg_notify('news', 'one')`);
      await db.transaction((tx) => tx.rows(sql`select pg_notify('news', 'two')`));
      await expect.poll(() => payloads.length).toBe(4);
      await unlisten();
      await unlistenSecond();
      await db.rows(sql`select pg_notify('news', 'three')`);
      await db.ready();
      expect(payloads.sort()).toEqual(['one', 'second one', 'second two', 'two']);
    });

    describe('base data', () => {
      test('exists once, no matter how often it is seeded', async () => {
        await Promise.all([seedBase(db), seedBase(db)]);
        const codes = entities.flatMap(codesOf);
        expect(
          (await db.select({ code_name: pg.text }, sql`select code_name from permissions order by id`)).map(
            (row) => row.code_name,
          ),
        ).toEqual(codes);
        expect(await db.rows(sql`select name, two_letter_code as code from languages order by id`)).toEqual([
          { name: 'English', code: 'en' },
          { name: 'Deutsch', code: 'de' },
          { name: 'Svenska', code: 'sv' },
          { name: 'Polski', code: 'pl' },
          { name: 'Français', code: 'fr' },
          { name: 'Italiano', code: 'it' },
        ]);
        expect(await db.one(sql`select count(*) as n from countries`)).toEqual({ n: countryNames().length });
        const permissions = await db.select(
          { code_name: pg.text },
          sql`
          select p.code_name from roles_permissions rp join roles r on r.id = rp.roles_id join permissions p on p.id = rp.permissions_id where r.name = 'Operator'`,
        );
        expect(permissions.map((row) => row.code_name).sort()).toEqual(defaultPermissionsOf('operator').sort());
      });

      test('does not restore rows that users deleted', async () => {
        const grants = sql`select count(*) as n from roles_permissions rp join roles r on r.id = rp.roles_id where r.name = 'Partner'`;
        const rowBefore = await db.selectOne({ n: pg.integer }, grants);
        await db.rows(sql`delete from roles_permissions where roles_id = (select id from roles where name = 'Partner')
          and permissions_id = (select id from permissions where code_name = 'machines.export')`);
        await seedBase(db);
        expect(await db.one(grants)).toEqual({ n: (rowBefore?.n as number) - 1 });
      });
    });
  });

test('the base data contains the 249 countries and territories of ISO 3166-1', () => {
  const names = countryNames();
  expect(names).toHaveLength(249);
  for (const name of ['Germany', 'Sweden', 'Poland', 'France', 'Italy', 'Namibia']) expect(names).toContain(name);
});

test('several processes can migrate one new PostgreSQL database concurrently', async () => {
  const admin = await openDatabase({ databaseUrl: cluster.url, dataDir: folder, log });
  await admin.rows(sql`create database together`);
  const url = cluster.url.replace(/\/postgres$/, '/together');
  const databases = await Promise.all([1, 2, 3].map(() => openDatabase({ databaseUrl: url, dataDir: folder, log })));
  expect(await databases[0]?.one(sql`select count(*) as n from migrations`)).toEqual({
    n: committedMigrations().length,
  });
  await Promise.all([admin, ...databases].map((db) => db.close()));
});
