import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseListQuery, printListQuery } from '../../schema/dsl/listQuery';

describe('query string of a list', () => {
  test('defaults are page 1 of 10 rows', () => {
    expect(parseListQuery('')).toEqual({ page: 1, per_page: 10, sort: [], filter: [], include: [], fields: {} });
  });

  test.each([
    ['page=0', 1],
    ['page=-3', 1],
    ['page=1.5', 1],
    ['page=x', 1],
    ['page=7', 7],
    ['page[number]=4', 4],
  ])('%s is page %i', (search, page) => {
    expect(parseListQuery(search).page).toBe(page);
  });

  test.each([
    ['per_page=25', 25],
    ['per_page=1001', 1000],
    ['limit=5', 5],
    ['perPage=6', 6],
    ['page[size]=7', 7],
    ['per_page=0', 10],
  ])('%s requests %i rows', (search, rows) => {
    expect(parseListQuery(search).per_page).toBe(rows);
  });

  test('a leading minus sorts descending', () => {
    expect(parseListQuery('sort=-fleet.name,id').sort).toEqual([
      { path: 'fleet.name', descending: true },
      { path: 'id', descending: false },
    ]);
  });

  test('relations are written with dots or by nesting', () => {
    const filter = [{ path: 'fleet.name', values: ['a', 'b'] }];
    expect(parseListQuery('filter[fleet.name]=a,b').filter).toEqual(filter);
    expect(parseListQuery('filter[fleet][name]=a,b').filter).toEqual(filter);
  });

  test('the list notation takes commas literally and skips empty values', () => {
    expect(parseListQuery('filter[name][]=a,b&filter[name][]=c&filter[city]=').filter).toEqual([
      { path: 'name', values: ['a,b', 'c'] },
    ]);
  });

  test('names of built-in object properties are treated like any other', () => {
    const { filter, fields } = parseListQuery('filter[__proto__]=1&filter[constructor]=2&fields[__proto__]=a');
    expect(filter.map(({ path }) => path)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  });

  test('a printed query parses to the same query', () => {
    const word = fc.stringMatching(/^[a-z_]{1,12}$/);
    const value = fc.string({ minLength: 1 }).filter((text) => text.isWellFormed());
    const query = fc.record({
      page: fc.integer({ min: 1, max: 9999 }),
      per_page: fc.integer({ min: 1, max: 1000 }),
      sort: fc.array(fc.record({ path: word, descending: fc.boolean() }), { maxLength: 3 }),
      filter: fc.uniqueArray(fc.record({ path: word, values: fc.array(value, { minLength: 1, maxLength: 3 }) }), {
        selector: ({ path }) => path,
        maxLength: 4,
      }),
      include: fc.array(word, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(query, (request) => {
        expect(parseListQuery(printListQuery(request))).toEqual({ ...request, fields: {} });
      }),
    );
  });
});
