/** The benchmark rejects responses that differ from those of the limit, and reports missed bars. */
import { describe, expect, test } from 'vitest';
import {
  type Figure,
  failures,
  figureRows,
  growthOf,
  printSizesTable,
  replaceSection,
  verdictOf,
} from '../bench/figures';
import { differenceOf, readRows } from '../bench/listResults';

const response = (ids: number[], total = 40) => ({ rows: ids.map((id) => ({ id, name: `Machine ${id}` })), total });

describe('responses', () => {
  test('match with the same rows in the same order', () => {
    expect(differenceOf(response([1, 2, 3]), response([1, 2, 3]), { hasSameFields: true })).toBeUndefined();
  });

  test.each([
    ['a missing row', response([1, 2]), 'row 3 is missing'],
    ['a surplus row', response([1, 2, 3, 4]), "row 4 is not among the limit's"],
    ['another order', response([1, 3, 2]), 'row 3 stands where the limit has row 2'],
    ['a repeated row', response([1, 2, 3, 3]), 'row 3 stands where the limit has no row'],
    ['another total', response([1, 2, 3], 41), "the total is 41, the limit's 40"],
  ])('differ by %s', (_name, product, difference) => {
    expect(differenceOf(product, response([1, 2, 3]))).toBe(difference);
  });

  test('differ by a value at any depth', () => {
    const product = { rows: [{ id: 1, fleet: { id: 7, name: 'North' } }], total: 1 };
    const limit = { rows: [{ id: 1, fleet: { id: 7, name: 'South' } }], total: 1 };
    expect(differenceOf(product, limit)).toBe('row 1: fleet.name is "North", the limit\'s "South"');
  });

  test('may differ in the notation of times and the order of fields', () => {
    const product = { rows: [{ id: 1, at: '2026-11-23T10:00:00.000Z', place: { x: 1, y: 2 } }], total: 1 };
    const limit = { rows: [{ place: { y: 2, x: 1 }, at: '2026-11-23T11:00:00+01:00', id: 1 }], total: 1 };
    expect(differenceOf(product, limit, { hasSameFields: true })).toBeUndefined();
  });

  test('must have the same fields if the limit does the same work', () => {
    const [narrowResult, wideResult] = [response([1]), { rows: [{ id: 1, name: 'Machine 1', note: null }], total: 40 }];
    expect(differenceOf(wideResult, narrowResult)).toBeUndefined();
    expect(differenceOf(wideResult, narrowResult, { hasSameFields: true })).toBe(
      'row 1: the limit does not print note',
    );
    expect(differenceOf(narrowResult, wideResult)).toMatch('note');
  });

  test('may differ in the text of a field, but not in its presence', () => {
    const options = { hasSameFields: true, translatedFields: ['name'] };
    const limit = { rows: [{ id: 1, name: 'machine' }], total: 40 };
    expect(differenceOf(response([1]), limit, options)).toBeUndefined();
    expect(differenceOf({ rows: [{ id: 1 }], total: 40 }, limit, options)).toMatch('name');
  });

  test('can be lists or single rows', () => {
    expect(readRows('{"data":[{"id":1},{"id":2}],"total":9}')).toEqual({ rows: [{ id: 1 }, { id: 2 }], total: 9 });
    expect(readRows('{"data":{"id":1}}')).toEqual({ rows: [{ id: 1 }], total: 1 });
  });
});

const dashboard = { title: 'dashboard', role: 'Admin', unit: 'ms', bar: 100 } as const;
const list = { title: 'list', role: 'Operator', unit: 'ratio' } as const;
const figures: Figure[] = [
  { ...dashboard, size: 10_000, value: 10, milliseconds: 10 },
  { ...list, size: 10_000, value: 0.81, milliseconds: 4 },
  { ...dashboard, size: 100_000, value: 120, milliseconds: 120 },
  { ...list, size: 100_000, value: 0.9, milliseconds: 5 },
];

describe('figures', () => {
  test.each<[string, Partial<Figure>, string]>([
    ['a ratio at its bar', { unit: 'ratio', value: 0.95, bar: 0.95 }, 'met'],
    ['a ratio below it', { unit: 'ratio', value: 0.949, bar: 0.95 }, 'missed'],
    ['a time at its bar', { value: 100, bar: 100 }, 'met'],
    ['a time above it', { value: 100.1, bar: 100 }, 'missed'],
    ['a time that could not be measured', { value: Number.NaN, bar: 100 }, 'missed'],
    ['no bar', { value: 7, bar: undefined }, 'no bar'],
    ['a wrong response within its bar', { value: 1, bar: 100, fault: 'row 3 is missing' }, 'wrong answer'],
  ])('are graded with %s', (_name, figure, verdict) => {
    expect(verdictOf({ ...dashboard, value: 0, ...figure })).toBe(verdict);
  });

  test('grow from the smallest size to the largest, in whichever order they were measured', () => {
    expect(figureRows(figures).map(growthOf)).toEqual([12, 1.25]);
    expect(figureRows(figures.toReversed()).map(growthOf)).toEqual([1.25, 12]);
    expect(figureRows(figures.slice(2)).map(growthOf)).toEqual([undefined, undefined]);
  });

  test('are printed in a table with a column per size, and missed ones are marked', () => {
    expect(printSizesTable(figures)).toBe(
      [
        '| scenario | role | 10,000 machines | 100,000 machines | growth | bar |  |',
        '|---|---|---|---|---|---|---|',
        '| dashboard | Admin | 10 ms | 120 ms | 12.0 | at most 100 ms | **missed** |',
        '| list | Operator | 0.81 (4 ms) | 0.90 (5 ms) | 1.3 |  |  |',
      ].join('\n'),
    );
  });

  test('fail the run if one is missed or wrong, at any size', () => {
    expect(failures(figures)).toEqual(['missed: dashboard, Admin: 120 ms, at most 100 ms']);
    const [first, second, , fourth] = figures as [Figure, Figure, Figure, Figure];
    expect(failures([first, second, { ...dashboard, size: 100_000, value: 90 }, fourth])).toEqual([]);
    const wrongResult = { ...second, fault: 'row 3 is missing' };
    expect(failures([wrongResult, fourth])[0]).toMatch('wrong answer: list, Operator');
    expect(printSizesTable([wrongResult, fourth])).toMatch('- list, Operator, 10000: row 3 is missing');
  });

  test('are written only between the marks of their section', () => {
    const page = 'before\n<!-- api -->\nold\n<!-- /api -->\n<!-- web -->\n<!-- /web -->\nafter';
    expect(replaceSection(page, 'api', 'new')).toBe(
      'before\n<!-- api -->\n\nnew\n\n<!-- /api -->\n<!-- web -->\n<!-- /web -->\nafter',
    );
    expect(() => replaceSection(page, 'other', 'new')).toThrow('other');
  });
});
