import { fillPlaceholders, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { PlaceholderPart, placeholderValues, printStatement } from '../../server/db/core/statement';
import { PreparedStatements } from '../../server/db/driver/preparedStatements';
import { readTar } from '../../server/db/embedded/readTar';
import { writeCounts } from '../../server/db/schema/system';

describe('templates', () => {
  test('number values in order, through nested templates', () => {
    const inner = sql`b = ${2}`;
    expect(printStatement(sql`select ${1} where ${inner} and c = ${'x'}`)).toEqual({
      text: 'select $1 where b = $2 and c = $3',
      params: [1, 2, 'x'],
    });
  });

  test('bind the same values wherever a placeholder part occurs', () => {
    const createPart = (name: string) => new PlaceholderPart(sql`${sql.identifier(name)} > ${5} and b = ${'x'}`);
    const { text, params } = printStatement(sql`select ${1} where ${createPart('a')} or ${createPart('c')}`);
    expect(text).toBe('select $1 where "a" > $2 and b = $3 or "c" > $4 and b = $5');
    expect(fillPlaceholders(params, placeholderValues([7, 'y']))).toEqual([1, 7, 'y', 7, 'y']);
  });

  test('pass an array as one parameter, as well as dates, bytes and objects', () => {
    const values = [[1, 2], new Date(0), new Uint8Array([1]), { a: 1 }, null, false];
    const { text, params } = printStatement(
      sql.join(
        values.map((value) => sql`${value}`),
        sql`, `,
      ),
    );
    expect(text).toBe('$1, $2, $3, $4, $5, $6');
    expect(params).toEqual(values);
  });

  test('print nothing for undefined', () => {
    expect(printStatement(sql`select 1 ${undefined}`)).toEqual({ text: 'select 1 ', params: [] });
  });

  test('quote any name', () => {
    expect(printStatement(sql`${sql.identifier('a"; drop table machines; --')}`).text).toBe(
      '"a""; drop table machines; --"',
    );
  });

  test('print tables and columns as quoted names, and raw text unchanged', () => {
    expect(printStatement(sql`${writeCounts} ${writeCounts.relation} ${sql.raw('asc')} ${sql.param(3)}`)).toEqual({
      text: '"write_counts" "write_counts"."relation" asc $1',
      params: [3],
    });
  });

  test('print nothing if they are empty', () => {
    expect(printStatement(sql.empty())).toEqual({ text: '', params: [] });
  });
});

describe('prepared statements', () => {
  test('start with the second execution', () => {
    const statements = new PreparedStatements();
    expect([1, 2, 3].map(() => statements.shouldPrepare('select 1'))).toEqual([false, true, true]);
  });

  test('are limited in number; existing ones stay prepared', () => {
    const statements = new PreparedStatements();
    for (let i = 0; i < 1500; i += 1) for (const _ of [1, 2]) statements.shouldPrepare(`select ${i}`);
    expect(statements.shouldPrepare('select 0')).toBe(true);
    expect(statements.shouldPrepare('select 1499')).toBe(false);
    expect(statements.shouldPrepare('select 1499')).toBe(false);
  });

  test('are chosen again once the limit is reached and connections have been replaced', () => {
    let time = 0;
    const statements = new PreparedStatements({ connectionAge: 1000, now: () => time });
    const isPrepared = (text: string) => [1, 2].map(() => statements.shouldPrepare(text)).at(-1);
    for (let i = 0; i < 1000; i += 1) expect(isPrepared(`select ${i}`)).toBe(true);
    time = 999;
    expect(isPrepared('later')).toBe(false);
    time = 1000;
    expect(isPrepared('later')).toBe(true);
    expect(statements.shouldPrepare('select 0')).toBe(false);
    for (let i = 1; i < 1000; i += 1) expect(isPrepared(`select ${i}`)).toBe(true);
    time = 1999;
    expect(isPrepared('last')).toBe(false);
  });

  test('do not retain statements that were executed once', () => {
    const statements = new PreparedStatements();
    statements.shouldPrepare('rare');
    for (let i = 0; i < 5000; i += 1) statements.shouldPrepare(`once ${i}`);
    expect(statements.shouldPrepare('rare')).toBe(false);
  });
});

describe('tar archive', () => {
  const header = (name: string, size: number, type: string) => {
    const bytes = Buffer.alloc(512);
    bytes.write(name, 0);
    bytes.write(size.toString(8).padStart(11, '0'), 124);
    bytes.write(type, 156);
    return bytes;
  };

  test('yields its files and directories', () => {
    const content = Buffer.alloc(1024);
    content.write('a'.repeat(600));
    const archive = Buffer.concat([
      header('base/', 0, '5'),
      header('base/1', 600, '0'),
      content,
      header('empty', 0, '0'),
      Buffer.alloc(1024),
    ]);
    expect([...readTar(archive)].map(({ name, bytes }) => [name, bytes && Buffer.from(bytes).toString()])).toEqual([
      ['base/', undefined],
      ['base/1', 'a'.repeat(600)],
      ['empty', ''],
    ]);
  });
});
