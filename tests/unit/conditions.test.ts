/** Conditions of the filter dialog and filters in the URL, which are converted both ways without loss. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseListQuery, printListQuery } from '../../schema/dsl/listQuery';
import { machines } from '../../schema/entities/machines';
import { users } from '../../schema/entities/users';
import { languageCodes } from '../../schema/shared/languages';
import {
  type Condition,
  findOperators,
  groupConditions,
  nextAlternative,
  operators,
  parseConditions,
  printConditions,
} from '../../src/crud/filter/conditions';
import { describeCondition } from '../../src/crud/filter/describeCondition';
import { fieldGroups } from '../../src/crud/filter/fieldGroups';
import { validateConditions } from '../../src/crud/filter/validateConditions';
import { formatDateTime } from '../../src/i18n/format';
import { loadMessages } from '../../src/i18n/loadMessages';
import { type Filters, filterOf } from '../../src/providers/filters';
import { session } from '../../src/providers/session';

const token = (permissions: string[]) => `x.${btoa(JSON.stringify({ id: 1, roles: [], permissions }))}.x`;
const listing = ['machines', 'fleets', 'clients', 'locations', 'types', 'trackers', 'documents'].map(
  (name) => `${name}.list`,
);
beforeEach(() => session.set({ t: 't', ut: token(listing) }));

const key = (name: string, { _ }: { _?: string } = {}) => _ ?? name;
const writeFilters = (conditions: Condition[]) => printConditions(machines, conditions).filters;
const readFilters = (filters: Filters) => parseConditions(machines, filters);

describe('conditions', () => {
  test.each<[Condition, Filters]>([
    [{ path: 'serial_number', operator: 'contains', values: ['SW, 1'] }, { serial_number: ['SW, 1'] }],
    [{ path: 'serial_number', operator: 'begins', values: ['SW'] }, { 'serial_number.begins': ['SW'] }],
    [{ path: 'serial_number', operator: 'none_of', values: ['a', 'b'] }, { 'serial_number.is.not': ['a', 'b'] }],
    [{ path: 'status', operator: 'one_of', values: ['Offline', 'Online'] }, { status: ['Offline', 'Online'] }],
    [{ path: 'fleet_id', operator: 'none_of', values: ['3', '4'] }, { 'fleet_id.not': [3, 4] }],
    [{ path: 'location_id', operator: 'one_of', values: ['3', 'null'] }, { location_id: [3, 'null'] }],
    [{ path: 'is_dummy', operator: 'is', values: ['true'] }, { is_dummy: true }],
    [{ path: 'battery', operator: 'between', values: ['10', '80'] }, { battery: ['>=10', '<=80'] }],
    [{ path: 'battery', operator: 'is_not', values: ['5'] }, { battery: ['<>5'] }],
    [{ path: 'location.city', operator: 'empty', values: [] }, { 'location.city': 'null' }],
    [{ path: 'documents.id', operator: 'filled', values: [] }, { 'documents.id.not': 'null' }],
    [{ path: 'last_seen', operator: 'last', values: ['7'] }, { last_seen: ['>=-7d', '<=0d'] }],
    [{ path: 'next_service_due', operator: 'next', values: ['30'] }, { next_service_due: ['>=0d', '<=30d'] }],
    [{ path: 'last_seen', operator: 'older', values: ['14'] }, { last_seen: ['<-14d'] }],
  ])('%j is equivalent to %j', (condition, filters) => {
    expect(writeFilters([condition])).toEqual(filters);
    expect(readFilters(filters)).toEqual([condition]);
  });

  test('on one number are combined', () => {
    const conditions: Condition[] = [
      { path: 'battery', operator: 'more', values: ['10'] },
      { path: 'battery', operator: 'less', values: ['80'] },
    ];
    expect(writeFilters(conditions)).toEqual({ battery: ['>10', '<80'] });
    expect(readFilters(writeFilters(conditions))).toEqual(conditions);
  });

  test('of groups come last and stay together, alternatives with all their conditions', () => {
    const filters: Filters = {
      'any.0.0.status': ['Offline'],
      serial_number: ['SW'],
      'any.1.0.note': 'null',
      'any.0.1.battery': ['<20', '>5'],
      'any.0.1.stock_state.not': ['retired'],
    };
    const conditions = readFilters(filters);
    expect(conditions).toEqual([
      { path: 'serial_number', operator: 'contains', values: ['SW'] },
      { path: 'status', operator: 'one_of', values: ['Offline'], alternative: 'any.0.0' },
      { path: 'battery', operator: 'more', values: ['5'], alternative: 'any.0.1' },
      { path: 'battery', operator: 'less', values: ['20'], alternative: 'any.0.1' },
      { path: 'stock_state', operator: 'none_of', values: ['retired'], alternative: 'any.0.1' },
      { path: 'note', operator: 'empty', values: [], alternative: 'any.1.0' },
    ]);
    expect(groupConditions(conditions).map(({ length }) => length)).toEqual([1, 4, 1]);
    expect(nextAlternative(conditions)).toBe('any.2.0');
    expect(nextAlternative(conditions, 'any.0')).toBe('any.0.2');
    expect(nextAlternative([])).toBe('any.0.0');
    expect(sortValues(writeFilters(conditions))).toEqual(sortValues(filters));
  });

  test('on the same field may be alternatives of a group', () => {
    const sameField: Condition[] = ['any.0.0', 'any.0.1'].map((alternative, index) => ({
      path: 'serial_number',
      operator: 'contains',
      values: [`${index}`],
      alternative,
    }));
    expect(validateConditions(machines, sameField).size).toBe(0);
  });

  test('that exclude each other in one filter are detected', () => {
    const sameField: Condition[] = [
      { path: 'serial_number', operator: 'contains', values: ['a'] },
      { path: 'serial_number', operator: 'contains', values: ['b'] },
    ];
    expect(validateConditions(machines, sameField).get(1)).toBe('twice');
    expect(
      validateConditions(machines, [
        { path: 'serial_number', operator: 'contains', values: ['a'] },
        { ...(sameField[1] as Condition), operator: 'begins' },
      ]).size,
    ).toBe(0);
  });

  test('in another notation of the URL stay unchanged', () => {
    for (const filters of [
      { battery: ['null', '>5'] },
      { unknown: ['x'] },
      { last_seen: ['>=-3d'] },
      { 'status.is': ['x'] },
    ] as Filters[]) {
      expect(readFilters(filters).map(({ operator }) => operator)).toEqual(['other']);
      expect(writeFilters(readFilters(filters))).toEqual(filters);
    }
  });

  test('are also built by links', () => {
    expect(
      readFilters({
        status: 'Offline',
        fleet_id: 3,
        location_id: null,
        'location.address': 'Main, 5',
        search: 'x',
        trashed: 'only',
      }),
    ).toEqual([
      { path: 'status', operator: 'one_of', values: ['Offline'] },
      { path: 'fleet_id', operator: 'one_of', values: ['3'] },
      { path: 'location_id', operator: 'empty', values: [] },
      { path: 'location.address', operator: 'contains', values: ['Main, 5'] },
    ]);
  });
});

/** Paths for arbitrary conditions, with values of their kinds that the dialog accepts. */
const paths = [
  'serial_number',
  'note',
  'status',
  'stock_state',
  'fleet_id',
  'location_id',
  'is_dummy',
  'battery',
  'cleaning_time',
  'next_service_due',
  'last_seen',
  'location.city',
  'fleet.name',
  'tracker.refno',
  'documents.id',
];
const values: Record<string, fc.Arbitrary<string>> = {
  status: fc.constantFrom('Offline', 'Online', 'Cleaning'),
  stock_state: fc.constantFrom('in_stock', 'deployed'),
  fleet_id: fc.integer({ min: 1, max: 99 }).map(String),
  location_id: fc.integer({ min: 1, max: 99 }).map(String),
  is_dummy: fc.constantFrom('true', 'false'),
  battery: fc.integer({ min: -5, max: 100 }).map(String),
  cleaning_time: fc.integer({ min: 0, max: 100_000 }).map(String),
  next_service_due: fc.constantFrom('2026-01-31', '2027-02-01'),
  last_seen: fc.constantFrom('2026-01-31', '2027-02-01'),
};
const multipleOperators: readonly string[] = ['one_of', 'none_of'];
const condition: fc.Arbitrary<Condition> = fc.constantFrom(...paths).chain((path) =>
  fc.constantFrom(...findOperators(machines, path)).chain((operator) => {
    const fieldValue =
      values[path] ?? fc.string({ minLength: 1, maxLength: 6 }).filter((text) => text.trim() !== '' && text !== 'null');
    const count = operator === 'empty' || operator === 'filled' ? 0 : operator === 'between' ? 2 : 1;
    const isDays = ['last', 'next', 'older'].includes(operator);
    const value = isDays ? fc.integer({ min: 0, max: 400 }).map(String) : fieldValue;
    const maxValues = multipleOperators.includes(operator) ? 3 : count;
    return fc
      .uniqueArray(value, {
        minLength: operator === 'between' ? 1 : count,
        maxLength: maxValues,
        comparator: (a, b) => a === b,
      })
      .map((pickedValues): Condition => {
        const filledValues = operator === 'between' ? [...pickedValues, ...pickedValues].slice(0, 2) : pickedValues;
        return {
          path,
          operator,
          values:
            operator === 'between'
              ? [...filledValues].sort((a, b) => Number(a) - Number(b) || a.localeCompare(b))
              : filledValues,
        };
      });
  }),
);

const sortValues = (filters: Filters) =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, Array.isArray(value) ? [...value].sort() : value]),
  );

/** A single condition, or an alternative of one of two groups. */
const placedCondition = fc
  .tuple(condition, fc.option(fc.tuple(fc.nat(1), fc.nat(2)), { nil: undefined }))
  .map(
    ([singleCondition, place]): Condition =>
      place ? { ...singleCondition, alternative: `any.${place.join('.')}` } : singleCondition,
  );

test('any combination survives a round trip through URL and query string', () => {
  fc.assert(
    fc.property(fc.array(placedCondition, { maxLength: 6 }), (conditions) => {
      fc.pre(validateConditions(machines, conditions).size === 0);
      const filters = writeFilters(conditions);
      const reread = readFilters(filters);
      expect(reread.every(({ operator }) => operator !== 'other')).toBe(true);
      expect(sortValues(writeFilters(reread))).toEqual(sortValues(filters));
      const input = filterOf(machines, filters);
      expect(parseListQuery(printListQuery({ filter: input })).filter).toEqual(input);
    }),
    { numRuns: 500 },
  );
});

describe('validation rejects', () => {
  test.each<[string, Omit<Condition, 'path'> & { path?: string }]>([
    ['field', { path: '', operator: 'one_of', values: [] }],
    ['required', { path: 'serial_number', operator: 'contains', values: [] }],
    ['choose', { path: 'status', operator: 'one_of', values: [] }],
    ['number', { path: 'battery', operator: 'at_least', values: ['full'] }],
    ['duration', { path: 'cleaning_time', operator: 'at_least', values: ['1h5'] }],
    ['day', { path: 'next_service_due', operator: 'is', values: ['2026-02-30'] }],
    ['days', { path: 'next_service_due', operator: 'next', values: ['soon'] }],
    ['order', { path: 'battery', operator: 'between', values: ['80', '10'] }],
    [
      'long',
      { path: 'serial_number', operator: 'one_of', values: Array.from({ length: 500 }, (_, index) => `SW-${index}-x`) },
    ],
  ])('%s', (problem, input) => expect(validateConditions(machines, [{ path: '', ...input }]).get(0)).toBe(problem));
});

describe('offered fields', () => {
  const groups = () => fieldGroups(machines, key);
  const pathsOf = () => groups().flatMap(({ fields }) => fields.map(({ path }) => path));
  test('start with those of the entity, then those of referenced rows', () => {
    expect(groups()[0]?.fields[0]?.path).toBe('status');
    expect(pathsOf()).toEqual(
      expect.arrayContaining([
        'location.city',
        'fleet.name',
        'client.name',
        'tracker.refno',
        'type.name',
        'documents.id',
      ]),
    );
  });
  test('are unique and can all be parsed', () => {
    expect(new Set(pathsOf()).size).toBe(pathsOf().length);
    for (const path of pathsOf()) expect([path, findOperators(machines, path).length > 0]).toEqual([path, true]);
  });
  test('exclude fields that the user may not see', () => {
    expect(pathsOf()).not.toContain('price');
    expect(pathsOf()).toContain('fleet.name');
    session.set({ ut: token(['machines.list']) });
    expect(pathsOf()).toContain('status');
    expect(pathsOf().some((path) => path.startsWith('fleet.'))).toBe(false);
  });
  test('exclude passwords', () => {
    const userPaths = fieldGroups(users, key).flatMap(({ fields }) => fields.map(({ path }) => path));
    expect(userPaths).toContain('email');
    expect(userPaths).not.toContain('password');
  });
});

describe('text of a condition', () => {
  const print = (input: Condition) =>
    describeCondition({
      entity: machines,
      condition: input,
      language: 'de',
      translate: (name, options = {}) =>
        `${options._ ?? name.split('.').at(-1)}${options.value ? ` ${options.value}` : ''}`,
    });
  test.each<[Condition, string]>([
    [{ path: 'status', operator: 'one_of', values: ['Cleaning', 'Charging'] }, 'one_of Cleaning or Charging'],
    [{ path: 'status', operator: 'none_of', values: ['Cleaning'] }, 'is_not Cleaning'],
    [{ path: 'last_service', operator: 'at_least', values: ['2026-01-31'] }, 'at_least 31.01.2026'],
    [
      { path: 'status_since', operator: 'at_most', values: ['2026-01-31T11:04:00.000Z'] },
      `at_most ${formatDateTime('2026-01-31T11:04:00.000Z')}`,
    ],
    [{ path: 'status_since', operator: 'at_most', values: ['Test'] }, 'at_most Test'],
    [{ path: 'price', operator: 'at_most', values: ['1234.5'] }, 'at_most 1.234,50\u00a0€'],
    [{ path: 'cleaning_time', operator: 'more', values: ['5400'] }, 'more 1:30 h'],
    [{ path: 'battery', operator: 'less', values: ['20'] }, 'less 20\u00a0%'],
    [{ path: 'fleet_id', operator: 'one_of', values: ['7', 'null'] }, 'one_of #7 or nothing'],
    [{ path: 'documents.id', operator: 'empty', values: [] }, 'empty'],
    [{ path: 'note', operator: 'filled', values: [] }, 'filled'],
  ])('%j', (input, words) => expect(print(input)).toBe(words));

  test('exists in every language', async () => {
    for (const language of languageCodes) {
      const { filters } = await loadMessages(language);
      const texts = { ...filters.phrases, ...filters.operators } as Record<string, string>;
      for (const operator of operators)
        if (operator !== 'other')
          expect([language, operator, texts[operator]]).toEqual([language, operator, expect.any(String)]);
    }
  });
});
