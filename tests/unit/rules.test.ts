import { afterEach, describe, expect, test, vi } from 'vitest';
import { problemOf } from '../../schema/dsl/checks';
import { email, jsonField, money, number, password, phone, tags, text } from '../../schema/dsl/field';
import { parseInstant } from '../../schema/dsl/isDay';
import { problemsOf, type RuleOptions } from '../../schema/dsl/rules';
import { normalizeJson, shapeProblem } from '../../schema/dsl/shapes';
import { registry } from '../../schema/index';

const keys = (field: Parameters<typeof problemOf>[0], values: unknown[]) =>
  values.map((value) => problemOf(field, value)?.key);

describe('validation', () => {
  test('passwords need upper and lower case, a digit and one of ! @ # $ %', () => {
    expect(
      keys(password(), ['Secret1!', 'secret1!', 'SECRET1!', 'Secret!!', 'Secret11', 'Se1!', `Se1!${'x'.repeat(125)}`]),
    ).toEqual([
      undefined,
      'password_letters',
      'password_letters',
      'password_digit',
      'password_special',
      'password_length',
      'password_length',
    ]);
  });

  test('a password may also contain any other character', () => {
    expect(problemOf(password(), 'Pässwörd 1! 清掃 ;--')).toBeUndefined();
  });

  test('postal codes are digits stored as text', () => {
    expect(keys(text({ required: true, format: 'digits' }), ['01067', '1a', '', ' ', null, 1067])).toEqual([
      undefined,
      'digits',
      'required',
      'required',
      'required',
      'text',
    ]);
  });

  test('a language code has exactly two letters', () => {
    expect(keys(text({ format: 'two_letters' }), ['de', 'DE', 'd', 'deu', 'd1'])).toEqual([
      undefined,
      undefined,
      'two_letters',
      'two_letters',
      'two_letters',
    ]);
  });

  test('NUL and lone surrogates are rejected, other characters are accepted', () => {
    expect(keys(text(), ['a\0', '\uD800', 'x\uDC00', '😀 ‮ <b>', 'tab\t'])).toEqual([
      'control_characters',
      'control_characters',
      'control_characters',
      undefined,
      undefined,
    ]);
  });

  test('NUL and lone surrogates are rejected anywhere in JSON', () => {
    const values = [{ a: 'x\0' }, { a: [{ b: '\uD800' }] }, { 'a\0': 1 }, '{"a":"\\u0000"}', { a: ['😀', null, 1] }];
    expect(keys({ kind: 'json', shape: 'any' }, values)).toEqual([
      'control_characters',
      'control_characters',
      'control_characters',
      'control_characters',
      undefined,
    ]);
  });

  test('length is counted in characters, not in UTF-16 units', () => {
    expect(keys(text({ max: 2 }), ['😀😀', '😀😀😀'])).toEqual([undefined, 'max_length']);
  });

  test('money is exact: at most two decimals', () => {
    expect(keys(money({ min: 0 }), ['0', '12.5', '12.50', 12.5, '12.505', '-1', '1e3', 'NaN', '99999999999'])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'money',
      'min',
      'money',
      'money',
      'money',
    ]);
  });

  test.each([
    [email(), ['a@b.de', 'a b@c.de', 'a@b', '@b.de', 'a@b..de'], [undefined, 'email', 'email', 'email', undefined]],
    [phone(), ['+49 30 123456', '12', 'abc'], [undefined, 'phone', 'phone']],
    [number({ min: -90, max: 90 }), [52.5, -91, 91, Number.NaN, '1'], [undefined, 'min', 'max', 'number', 'number']],
    [tags(), [['a'], ['a', 'a'], [' '], 'a', [1]], [undefined, 'distinct', 'blank', 'list', 'list']],
  ])('values of kind %o', (field, values, expected) => {
    expect(keys(field, values)).toEqual(expected);
  });

  const validate = (values: Record<string, unknown>, options: Partial<RuleOptions> = {}) => {
    const fields = Object.keys(registry.users.fields).filter(
      (name) => (registry.users.fields as Record<string, { write?: false }>)[name]?.write !== false,
    );
    return Object.fromEntries(
      [...problemsOf(registry.users, values, { fields, side: 'server', ...options })].map(([path, problems]) => [
        path,
        problems.map(({ key }) => key),
      ]),
    );
  };

  test('unknown fields are rejected by name, including prototype keys', () => {
    expect(validate(JSON.parse('{"__proto__":{},"constructor":1,"is_admin":true}'), { current: {} })).toEqual({
      ['__proto__']: ['unknown'],
      constructor: ['unknown'],
      is_admin: ['unknown'],
    });
  });

  test('omitted fields are unchanged; required ones cannot be emptied', () => {
    expect(validate({}, { current: { first_name: 'A' } })).toEqual({});
    expect(validate({ first_name: null }, { current: { first_name: 'A' } })).toEqual({ first_name: ['required'] });
  });

  test('records are validated one by one, at their own path', () => {
    expect(validate({ emails: [{ email: 'a@b.de' }, { email: 'x', extra: 1 }] }, { current: {} })).toEqual({
      'emails.1.extra': ['unknown'],
      'emails.1.email': ['email'],
    });
  });

  test('the password confirmation must match', () => {
    expect(validate({ password: 'Secret1!', password_confirmation: 'Secret1?' }, { current: {} })).toEqual({
      password_confirmation: ['same'],
    });
  });

  test('a machine needs a type or a custom type of at least 3 characters', () => {
    const machineProblems = (values: Record<string, unknown>) =>
      problemsOf(
        registry.machines,
        { serial_number: 'S1', fleet_id: 1, ...values },
        { fields: ['serial_number', 'fleet_id', 'type_id', 'custom_type'], side: 'server' },
      );
    expect([...machineProblems({}).keys()]).toEqual(['type_id', 'custom_type']);
    expect([...machineProblems({ type_id: 1 }).keys()]).toEqual([]);
    expect(machineProblems({ custom_type: 'ab' }).get('custom_type')).toEqual([
      { key: 'min_length', values: { min: 3 } },
    ]);
  });

  test('only the form requires a logo', () => {
    const missingFields = (side: 'form' | 'server') => [
      ...problemsOf(registry.clients, {}, { fields: ['image'], side }).keys(),
    ];
    expect(missingFields('form')).toEqual(['image']);
    expect(missingFields('server')).toEqual([]);
  });
});

describe('an instant without an offset', () => {
  afterEach(() => void vi.unstubAllEnvs());

  test('is in UTC wherever the server runs, as in the database', () => {
    vi.stubEnv('TZ', 'Asia/Kolkata');
    expect(parseInstant('2026-01-01T10:00')?.toISOString()).toBe('2026-01-01T10:00:00.000Z');
    const interruption = { at: '2026-01-01T10:00', reason: null, resolved_at: '2026-01-01T10:05Z' };
    expect(normalizeJson('interruptions', [interruption])).toMatchObject([{ at: '2026-01-01T10:00:00.000Z' }]);
    expect(shapeProblem('interruptions', [{ ...interruption, resolved_at: '2026-01-01T09:00Z' }])).toBeDefined();
  });
});

test('JSON text with more levels than a request may have is rejected', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(keys(jsonField('any'), [nested(32), nested(33), nested(50_000)])).toEqual([undefined, 'json', 'json']);
  expect(normalizeJson('any', nested(50_000))).toBe(nested(50_000));
});

test('an offset is no time zone, even where JavaScript accepts one: PostgreSQL would read the opposite sign', () => {
  vi.stubGlobal('Intl', { DateTimeFormat: class {} });
  const results = keys(text({ format: 'time_zone' }), ['+01', '-0500', 'Europe/Berlin']);
  vi.unstubAllGlobals();
  expect(results).toEqual(['time_zone', 'time_zone', undefined]);
});
