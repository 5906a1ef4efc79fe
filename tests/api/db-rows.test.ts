/** Row shapes compared with the types that the database reports, and use of the pool inside a transaction. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTableColumns, sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, Queries } from '../../server/db/core/database';
import { pg, type RowShape, shapeOf } from '../../server/db/core/rowShape';
import { openDatabase } from '../../server/db/open/openDatabase';
import { tables } from '../../server/db/schema';
import { entityTables } from '../../server/db/schema/entities';
import { type Cluster, startCluster } from '../support/startCluster';

const folder = mkdtempSync(join(tmpdir(), 'sweepline-rows-'));
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

for (const kind of ['pglite', 'postgres'] as const)
  describe(kind, () => {
    let db: Database;
    const logLines: { level: number; msg: string; err?: { message: string } }[] = [];
    const log = pino({}, { write: (line) => void logLines.push(JSON.parse(line)) });
    const databaseUrl = () => (kind === 'postgres' ? cluster.url : undefined);
    beforeAll(async () => {
      db = await openDatabase({ databaseUrl: databaseUrl(), dataDir: folder, log, onRowMismatch: () => {} });
    });
    afterAll(() => db?.close());

    test('rejects statements that bypass the surrounding transaction', async () => {
      await expect(db.transaction(() => db.rows(sql`select 1`))).rejects.toThrow('only its own queries');
      expect(await db.rows(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    });

    test('reads every column type as its shape declares', async () => {
      const row = await db.selectOne(
        {
          truth: pg.boolean,
          small: pg.integer,
          big: pg.integer,
          real: pg.double,
          double: pg.double,
          numeric: pg.numeric,
          text: pg.text,
          letters: pg.text,
          id: pg.uuid,
          bytes: pg.bytea,
          at: pg.timestamptz,
          day: pg.date,
          json: pg.json<{ a: number }>(),
          plain: pg.json<number[]>(),
          numbers: pg.integer.array,
          words: pg.text.nullable.array,
          nothing: pg.date.nullable,
        },
        sql`select true as truth, 1::smallint as small, 2::bigint as big, 1.5::real as real, 2.5::float8 as double,
          1.10::numeric(12,2) as numeric, 'a' as text, 'b'::varchar(3) as letters,
          '00000000-0000-0000-0000-000000000001'::uuid as id, '\\x01'::bytea as bytes,
          '2024-02-29T12:00:00.123Z'::timestamptz as at, '2024-02-29'::date as day, '{"a":1}'::jsonb as json,
          '[1]'::json as plain, array[1, 2] as numbers, array['a', null] as words, null::date as nothing`,
      );
      expect(row).toEqual({
        truth: true,
        small: 1,
        big: 2,
        real: 1.5,
        double: 2.5,
        numeric: '1.10',
        text: 'a',
        letters: 'b',
        id: '00000000-0000-0000-0000-000000000001',
        bytes: Buffer.from([1]),
        at: new Date('2024-02-29T12:00:00.123Z'),
        day: '2024-02-29',
        json: { a: 1 },
        plain: [1],
        numbers: [1, 2],
        words: ['a', null],
        nothing: null,
      });
    });

    test('reads text as bytes on request, and the other columns as usual', async () => {
      const shape = {
        data: pg.utf8,
        empty: pg.utf8,
        nothing: pg.utf8.nullable,
        total: pg.integer,
        at: pg.timestamptz.nullable,
        words: pg.text.nullable.array,
      };
      const query = sql`select 'Göteborg 🧹' as data, '' as empty, ${null}::text as nothing, 3::bigint as total,
        '2024-02-29T12:00:00Z'::timestamptz as at, array['Łódź', null] as words`;
      const row = {
        data: Buffer.from('Göteborg 🧹'),
        empty: Buffer.alloc(0),
        nothing: null,
        total: 3,
        at: new Date('2024-02-29T12:00:00Z'),
        words: ['Łódź', null],
      };
      // From its third execution on the statement is prepared.
      for (let i = 0; i < 4; i += 1) expect(await db.select(shape, query)).toEqual([row]);
      expect(await db.transaction((tx) => tx.selectOne(shape, query))).toEqual(row);
      const batches: object[] = [];
      for await (const rows of db.stream(shape, query)) batches.push(rows);
      expect(batches).toEqual([[row]]);
    });

    test('every column of the declared tables has a shape that matches the database', async () => {
      const handWrittenTables = Object.values(tables).filter(
        (table) => !Object.values<unknown>(entityTables).includes(table) && 'getSQL' in table,
      );
      expect(handWrittenTables.length).toBeGreaterThan(30);
      for (const table of handWrittenTables) {
        const names = Object.keys(getTableColumns(table)) as never[];
        await db.select(shapeOf(table, ...names), sql`select * from ${table} limit 0`);
      }
    });

    const mismatches: [string, RowShape, ReturnType<typeof sql>, string][] = [
      ['a wrong type', { n: pg.integer }, sql`select 1.5::float8 as n`, 'n is double precision, not integer'],
      ['a missing column', { n: pg.integer, name: pg.text }, sql`select 1 as n`, 'name is missing'],
      ['a surplus column', { n: pg.integer }, sql`select 1 as n, 'x' as name`, 'name is not declared'],
      ['a null', { n: pg.integer }, sql`select n from (values (1), (null)) as input (n)`, 'n is null'],
    ];
    for (const [name, shape, query, problem] of mismatches) {
      test(`${name} fails with an error that names statement and column`, async () => {
        const message = `A statement returned other rows than declared: ${problem}. select `;
        const reads: ((queries: Queries) => Promise<unknown>)[] = [
          (queries) => queries.select(shape, query),
          (queries) => queries.selectOne(shape, query),
        ];
        for (const read of reads) {
          await expect(read(db)).rejects.toThrow(message);
          await expect(db.transaction(read)).rejects.toThrow(message);
          await expect(db.inOrder(read)).rejects.toThrow(message);
        }
        const readStream = async () => {
          for await (const _ of db.stream(shape, query)) await Promise.resolve();
        };
        await expect(readStream()).rejects.toThrow(message);
      });

      test(`${name} is also caught when the statement is prepared`, async () => {
        for (let i = 0; i < 3; i += 1) await db.rows(query);
        await expect(db.select(shape, query)).rejects.toThrow(problem);
      });
    }

    test('a null in a later execution is caught', async () => {
      const selectNumber = (n: number | null) => db.select({ n: pg.integer }, sql`select ${n}::int as n`);
      expect(await selectNumber(1)).toEqual([{ n: 1 }]);
      await expect(selectNumber(null)).rejects.toThrow('n is null');
    });

    test('outside of tests, a mismatch is logged and counted once, and the process continues', async () => {
      if (kind === 'pglite') await db.close();
      const lenientDatabase = await openDatabase({ databaseUrl: databaseUrl(), dataDir: folder, log });
      logLines.length = 0;
      for (let i = 0; i < 3; i += 1)
        expect(await lenientDatabase.select({ n: pg.text }, sql`select ${i}::int as n`)).toEqual([{ n: i }]);
      expect(logLines.map(({ level, msg, err }) => [level, msg, err?.message])).toEqual([
        [
          50,
          'row shape differs',
          'A statement returned other rows than declared: n is integer, not text. select $1::int as n',
        ],
      ]);
      expect(lenientDatabase.rowMismatches()).toBe(1);
      await lenientDatabase.close();
    });
  });
