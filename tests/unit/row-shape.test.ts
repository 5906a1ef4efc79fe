/** Types of a row shape, and comparison of a result with it. */
import { describe, expect, expectTypeOf, test } from 'vitest';
import { pg, type RowOf, shapeOf } from '../../server/db/core/rowShape';
import { type ResultRows, RowChecks, rowProblems } from '../../server/db/driver/rowChecks';
import { sessions } from '../../server/db/schema/session';
import { machineDays } from '../../server/db/schema/telemetry';

const shape = { id: pg.integer, name: pg.text.nullable, codes: pg.text.array };
const columns = [
  { name: 'id', type: 23 },
  { name: 'name', type: 25 },
  { name: 'codes', type: 1009 },
];
const row = { id: 1, name: null, codes: ['a'] };
const result = (rows: unknown[], describedColumns = columns): ResultRows<unknown> =>
  Object.assign(rows, { columns: describedColumns });

describe('row type', () => {
  test('is inferred from its shape', () => {
    const kinds = { kind: pg.text.as<'a' | 'b'>(), at: pg.timestamptz, list: pg.json<{ n: number }[]>().nullable };
    expectTypeOf<RowOf<typeof kinds>>().toEqualTypeOf<{
      kind: 'a' | 'b';
      at: Date;
      list: { n: number }[] | null;
    }>();
    expectTypeOf<RowOf<typeof shape>>().toEqualTypeOf<{ id: number; name: string | null; codes: string[] }>();
    expect(Object.keys(kinds)).toEqual(['kind', 'at', 'list']);
  });

  test('of table columns is inferred from the table', () => {
    const session = shapeOf(sessions, 'id', 'token_hash', 'agent', 'expires_at');
    expectTypeOf<RowOf<typeof session>>().toEqualTypeOf<{
      id: number;
      token_hash: Uint8Array;
      agent: string | null;
      expires_at: Date;
    }>();
    expect(Object.entries(session).map(([name, { name: type, isNullable }]) => [name, type, isNullable])).toEqual([
      ['id', 'integer', false],
      ['token_hash', 'bytea', false],
      ['agent', 'text', true],
      ['expires_at', 'timestamptz', false],
    ]);
    expect(shapeOf(machineDays, 'day').day.oids).toEqual([1082]);
  });
});

describe('a result', () => {
  test('that matches its declaration has no problems, with rows or without', () => {
    expect(rowProblems(shape, result([row]))).toBeUndefined();
    expect(rowProblems(shape, result([]))).toBeUndefined();
  });

  test.each([
    ['a wrong type', result([], [{ name: 'id', type: 1700 }, ...columns.slice(1)]), 'id is numeric, not integer'],
    [
      'a type without a name',
      result([], [{ name: 'id', type: 600 }, ...columns.slice(1)]),
      'id is type 600, not integer',
    ],
    [
      'a single item instead of an array',
      result([], [...columns.slice(0, 2), { name: 'codes', type: 25 }]),
      'codes is text, not text[]',
    ],
    ['a missing column', result([], columns.slice(1)), 'id is missing'],
    ['a surplus column', result([row], [...columns, { name: 'more', type: 25 }]), 'more is not declared'],
    ['one column twice', result([row], [...columns, { name: 'id', type: 23 }]), 'id comes twice'],
    ['a null', result([row, { ...row, id: null }]), 'id is null'],
    ['a null inside an array', result([{ ...row, codes: ['a', null] }]), 'codes holds null'],
    [
      'several faults at once',
      result([{ id: null }], columns.slice(0, 1)),
      'name is missing, codes is missing, id is null',
    ],
  ])('with %s reports it', (_, rows, expected) => expect(rowProblems(shape, rows)).toBe(expected));

  test('of a statement that returns no rows has no columns', () => {
    expect(rowProblems({}, result([], []))).toBeUndefined();
    expect(rowProblems({}, Object.assign([], { columns: null }))).toBeUndefined();
  });
});

describe('in production', () => {
  test('a mismatch is logged once, counted, and never thrown', () => {
    const logLines: unknown[] = [];
    const checks = new RowChecks({ log: { error: (entry: unknown) => logLines.push(entry) } });
    const wrongResult = result([{ ...row, id: null }]);
    for (let i = 0; i < 3; i += 1) checks.check(shape, 'select 1', wrongResult);
    expect(logLines).toEqual([
      { err: expect.objectContaining({ message: expect.stringContaining('id is null. select 1') }) },
    ]);
    expect(checks.mismatches).toBe(1);
  });

  test('each statement is compared once', () => {
    const checks = new RowChecks({ log: { error: () => expect.unreachable() } });
    checks.check(shape, 'select 1', result([row]));
    checks.check(shape, 'select 1', result([{ ...row, id: null }]));
    expect(checks.mismatches).toBe(0);
  });
});
