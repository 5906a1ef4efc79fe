/**
 * Checks single values by kind. A violated rule yields a `Problem`: a key of `validation` in the texts, with its
 * values.
 */

import type { Field, Format, Kind } from './field';
import { type Hours, hoursProblem } from './hours';
import { isDay, isInstant } from './isDay';
import { isObject } from './isObject';
import { isStorable, isStorableJson } from './isStorable';
import { isTimeZone } from './isTimeZone';
import { parseKeyRule } from './keyRules';
import { requestLimits } from './requestLimits';
import { readJson, shapeProblem, shapeProblemKeys } from './shapes';

export const problemKeys = [
  'required',
  'choose',
  'text',
  'blank',
  'control_characters',
  'min_length',
  'max_length',
  'digits',
  'two_letters',
  'code_name',
  'key_rule',
  'time_zone',
  'email',
  'phone',
  'url',
  'color',
  'integer',
  'number',
  'money',
  'min',
  'max',
  'boolean',
  'date',
  'instant',
  'one_of',
  'list',
  'max_entries',
  'distinct',
  'password_length',
  'password_letters',
  'password_digit',
  'password_special',
  'same',
  'either',
  'exists',
  'taken',
  'unknown',
  'prohibited',
  'object',
  'image_type',
  'image_size',
  'document_type',
  'document_size',
  'attachment_type',
  'file_name',
  'file_required',
  'import_type',
  'hours',
  'hours_time',
  'hours_dates',
  'holiday_region',
  ...shapeProblemKeys,
] as const;
export type ProblemKey = (typeof problemKeys)[number];
export interface Problem {
  key: ProblemKey;
  values?: Record<string, string | number>;
}

/** Minimum and maximum characters of a password. */
export const passwordLength = { min: 8, max: 128 };

/** Special characters; a password needs at least one of them (specification, section 5). */
export const passwordSpecials = '!@#$%';
/**
 * Limits of values. An image must have fewer bytes than its limit; a document may reach it (specification, section 9).
 */
export const limits = {
  image: 2 * 1024 * 1024,
  document: 15 * 1024 * 1024,
  text: 255,
  longtext: 10_000,
  tags: 30,
  integer: 2_147_483_647,
} as const;

type Check = (value: unknown, field: Field) => Problem | undefined;
export const problem = (key: ProblemKey, values?: Problem['values']): Problem => ({ key, ...(values && { values }) });

const formats: Record<Format, { pattern: { test(value: string): boolean }; key: ProblemKey }> = {
  digits: { pattern: /^[0-9]+$/, key: 'digits' },
  two_letters: { pattern: /^[a-z]{2}$/i, key: 'two_letters' },
  code_name: { pattern: /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/, key: 'code_name' },
  time_zone: { pattern: /^[A-Za-z0-9_+\-/]+$/, key: 'time_zone' },
  serial: { pattern: /^[!-~]+$/, key: 'text' },
  key_rule: { pattern: { test: (value) => parseKeyRule(value) !== undefined }, key: 'key_rule' },
};

const length = (value: string) => [...value].length;

const maxLengthOf =
  (fallbackMax: number): Check =>
  (value, field) => {
    if (typeof value !== 'string') return problem('text');
    if (!isStorable(value)) return problem('control_characters');
    if (field.min !== undefined && length(value) < field.min) return problem('min_length', { min: field.min });
    const max = field.max ?? fallbackMax;
    if (length(value) > max) return problem('max_length', { max });
    const format = field.format && formats[field.format];
    if (format && !format.pattern.test(value)) return problem(format.key);
    if (field.format === 'time_zone' && !isTimeZone(value)) return problem('time_zone');
    return undefined;
  };

const matchesPattern =
  (pattern: RegExp, key: ProblemKey, max: number = limits.text): Check =>
  (value, field) => {
    const lengthProblem = maxLengthOf(max)(value, field);
    return lengthProblem ?? (pattern.test(value as string) ? undefined : problem(key));
  };

const rangeProblem = (value: number, { min, max, unit }: Field) => {
  // People type durations in hours and minutes, so the bound states its unit.
  const bound = (limit: number) => (unit === 's' ? `${limit} s` : limit);
  if (min !== undefined && value < min) return problem('min', { min: bound(min) });
  if (max !== undefined && value > max) return problem('max', { max: bound(max) });
  return undefined;
};

const checkIds: Check = (value, field) => {
  if (!Array.isArray(value) || !value.every((id) => Number.isInteger(id) && id > 0 && id <= limits.integer))
    return problem('list');
  if (value.length > requestLimits.references) return problem('max_entries', { max: requestLimits.references });
  if (new Set(value).size !== value.length) return problem('distinct');
  return field.required && value.length === 0 ? problem('choose') : undefined;
};

const checks: Record<Kind, Check> = {
  text: maxLengthOf(limits.text),
  longtext: maxLengthOf(limits.longtext),
  email: matchesPattern(/^[^\s@<>(),;:\\"[\]]+@[^\s@<>(),;:\\"[\]]+\.[^\s@<>(),;:\\"[\].]{2,}$/u, 'email', 254),
  phone: matchesPattern(/^\+?[0-9][0-9 ()/.-]{2,30}$/, 'phone', 32),
  color: matchesPattern(/^#[0-9a-f]{6}$/i, 'color', 7),
  integer: (value, field) =>
    Number.isInteger(value) && Math.abs(value as number) <= limits.integer
      ? rangeProblem(value as number, field)
      : problem('integer'),
  number: (value, field) =>
    typeof value === 'number' && Number.isFinite(value) ? rangeProblem(value, field) : problem('number'),
  money: (value, field) => {
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && /^-?\d{1,10}(\.\d{1,2})?$/.test(text)
      ? rangeProblem(Number(text), field)
      : problem('money');
  },
  boolean: (value) => (typeof value === 'boolean' ? undefined : problem('boolean')),
  date: (value) => (typeof value === 'string' && isDay(value) ? undefined : problem('date')),
  instant: (value) => (isInstant(value) ? undefined : problem('instant')),
  choice: (value, { choices = [] }) =>
    choices.includes(value as string) ? undefined : problem('one_of', { values: choices.join(', ') }),
  tags: (value, { format }) => {
    if (!Array.isArray(value) || !value.every((tag) => typeof tag === 'string')) return problem('list');
    if (value.length > limits.tags) return problem('max_entries', { max: limits.tags });
    if (new Set(value).size !== value.length) return problem('distinct');
    return value
      .map((tag) =>
        tag.trim() === '' ? problem('blank') : maxLengthOf(60)(tag, { kind: 'text', ...(format && { format }) }),
      )
      .find(Boolean);
  },
  hours: (value) => {
    const hoursFault = hoursProblem(value);
    if (hoursFault) return problem(hoursFault);
    const { note } = value as Partial<Hours>;
    return note && !isStorable(note) ? problem('control_characters') : undefined;
  },
  json: (value, { shape = 'any' }) => {
    if (!isStorableJson(readJson(value))) return problem('control_characters');
    const shapeFault = shapeProblem(shape, value);
    return shapeFault && problem(shapeFault.key, shapeFault.values);
  },
  image: (value, field) => {
    const lengthProblem = maxLengthOf(2000)(value, field);
    return (
      lengthProblem ??
      (/^https?:\/\/[^\s]+$/i.test(value as string) && URL.canParse(value as string) ? undefined : problem('url'))
    );
  },
  password: (value) => {
    if (typeof value !== 'string') return problem('text');
    if (!isStorable(value)) return problem('control_characters');
    if (length(value) < passwordLength.min || length(value) > passwordLength.max)
      return problem('password_length', passwordLength);
    if (!/\p{Lu}/u.test(value) || !/\p{Ll}/u.test(value)) return problem('password_letters');
    if (!/[0-9]/.test(value)) return problem('password_digit');
    return [...passwordSpecials].some((special) => value.includes(special))
      ? undefined
      : problem('password_special', { specials: [...passwordSpecials].join(' ') });
  },
  ref: (value) =>
    Number.isInteger(value) && (value as number) > 0 && (value as number) <= limits.integer
      ? undefined
      : problem('exists'),
  refs: checkIds,
  many: () => problem('prohibited'),
  records: (value) =>
    Array.isArray(value) && value.length <= 50 && value.every(isObject) ? undefined : problem('list'),
};

/** Whether a value counts as missing. Blank text does; an empty list does not. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Returns the problem of a single value; `undefined` if it is valid. */
export function problemOf(field: Field, value: unknown): Problem | undefined {
  if (value === undefined || value === null)
    return field.required === true || field.default !== undefined ? missingProblem(field) : undefined;
  if (field.required === true && isEmpty(value)) return missingProblem(field);
  // A repeated password is compared in `rulesOf`, where both values are known.
  return field.same ? undefined : checks[field.kind](value, field);
}

/** Returns the problem of a missing value: `choose` for kinds with options, otherwise `required`. */
export const missingProblem = ({ kind }: Field) =>
  problem(kind === 'ref' || kind === 'refs' || kind === 'choice' ? 'choose' : 'required');
