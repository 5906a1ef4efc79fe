/**
 * Comparison operators of filters as SQL, by kind of field. Values are parameters; a value that the kind cannot hold
 * matches nothing.
 */
import { type SQL, sql } from 'drizzle-orm';
import { limits } from '../../../schema/dsl/checks';
import type { Field, Kind } from '../../../schema/dsl/field';
import { parseRelativeDay, type TextTest } from '../../../schema/dsl/filterName';
import { isDay, parseInstant } from '../../../schema/dsl/isDay';
import { dayStartSql } from '../../db/core/dayStartSql';
import { hoursTextSql } from './fields';

export type Test = (value: SQL) => SQL;

const anyMatch =
  (tests: Test[]): Test =>
  (value) =>
    tests.length === 1
      ? (tests[0] as Test)(value)
      : sql`(${sql.join(
          tests.map((test) => test(value)),
          sql` or `,
        )})`;
const allMatch =
  (tests: Test[]): Test =>
  (value) =>
    sql`(${sql.join(
      tests.map((test) => test(value)),
      sql` and `,
    )})`;
const matchNone: Test = () => sql`false`;
const isNull: Test = (value) => sql`${value} is null`;

const escapeLike = (value: string) => value.replace(/[\\%_]/g, '\\$&');
const patterns: Record<TextTest | 'contains', (value: string) => string> = {
  contains: (value) => `%${escapeLike(value)}%`,
  is: escapeLike,
  begins: (value) => `${escapeLike(value)}%`,
};

/** A single value uses `=`: an index then yields rows in the order of its further columns, which `any` prevents. */
const anyOf =
  (values: readonly (string | number)[], type: 'int' | 'text'): Test =>
  (value) =>
    values.length === 1
      ? sql`${value} = ${values[0]}::${sql.raw(type)}`
      : sql`${value} = any(${sql.param(values)}::${sql.raw(type)}[])`;

const testIds = (values: string[]): Test => {
  const ids = values
    .filter((value) => /^\d{1,10}$/.test(value))
    .map(Number)
    .filter((id) => id <= limits.integer);
  return ids.length === 0 ? matchNone : anyOf(ids, 'int');
};

const operators = ['>=', '<=', '<>', '>', '<'] as const;
type Operator = (typeof operators)[number] | '=';

/**
 * Builder of tests for numbers and dates. Values without an operator are alternatives, of which any may match; values
 * with one, such as `>=100`, must all match.
 */
const buildComparison =
  (
    parse: (value: string, operator: Operator, timeZone: string) => Test,
  ): ((values: string[], timeZone?: string) => Test) =>
  (values, timeZone = 'UTC') => {
    const comparisons = values.map((value) => {
      const operator: Operator = operators.find((sign) => value.startsWith(sign)) ?? '=';
      return { operator, value: operator === '=' ? value : value.slice(operator.length) };
    });
    const alternatives = comparisons
      .filter(({ operator }) => operator === '=')
      .map(({ value }) => (value === 'null' ? isNull : parse(value, '=', timeZone)));
    const bounds = comparisons
      .filter(({ operator }) => operator !== '=')
      .map(({ value, operator }) => parse(value, operator, timeZone));
    return allMatch([...(alternatives.length > 0 ? [anyMatch(alternatives)] : []), ...bounds]);
  };

const operatorSql = (operator: Operator): SQL => sql.raw(operator);

/** Whole numbers are compared as integers, so that integer indexes apply. */
const testNumbers = buildComparison((text, operator) => {
  if (!/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return matchNone;
  const type = sql.raw(text.includes('.') ? 'numeric' : Math.abs(Number(text)) <= limits.integer ? 'int' : 'bigint');
  return (value) => sql`${value} ${operatorSql(operator)} ${text}::${type}`;
});

const todayIn = (timeZone: string) => sql`(now() at time zone ${timeZone}::text)::date`;

const testDates = buildComparison((text, operator, timeZone) => {
  const days = parseRelativeDay(text);
  if (days !== undefined) return (value) => sql`${value} ${operatorSql(operator)} ${todayIn(timeZone)} + ${days}::int`;
  return isDay(text) ? (value) => sql`${value} ${operatorSql(operator)} ${text}::date` : matchNone;
});

/** A day without a time is the whole day in the zone: `=` matches moments within it, `>` those after its end. */
const testInstants = buildComparison((text, operator, timeZone) => {
  const days = parseRelativeDay(text);
  if (days !== undefined || isDay(text)) {
    const date = days === undefined ? sql`${text}::date` : sql`(${todayIn(timeZone)} + ${days}::int)`;
    const start = dayStartSql(date, sql`${timeZone}::text`);
    const end = dayStartSql(sql`(${date} + 1)`, sql`${timeZone}::text`);
    const tests: Record<Operator, Test> = {
      '=': (value) => sql`(${value} >= ${start} and ${value} < ${end})`,
      '<>': (value) => sql`(${value} < ${start} or ${value} >= ${end})`,
      '>=': (value) => sql`${value} >= ${start}`,
      '<=': (value) => sql`${value} < ${end}`,
      '>': (value) => sql`${value} >= ${end}`,
      '<': (value) => sql`${value} < ${start}`,
    };
    return tests[operator];
  }
  const moment = parseInstant(text);
  return moment ? (value) => sql`${value} ${operatorSql(operator)} ${moment.toISOString()}::timestamptz` : matchNone;
});

type TestBuilder = (
  values: string[],
  options: {
    pattern: (value: string) => string;
    timeZone: string | undefined;
    choices: readonly string[] | undefined;
  },
) => Test;

/**
 * Matches any of the patterns. Up to `maxIndexedPatterns` use `ilike`, which trigram indexes serve. `ilike` lowercases
 * the value again for every pattern, so for more patterns the value is lowercased once, without an index.
 */
const likeAny = (value: SQL, patterns: readonly string[]): SQL =>
  patterns.length <= maxIndexedPatterns
    ? anyMatch(
        patterns.map(
          (pattern): Test =>
            (operand) =>
              sql`${operand} ilike ${pattern}`,
        ),
      )(value)
    : sql`lower(${value}) like any(array(select lower(pattern) from unnest(${sql.param(patterns)}::text[]) pattern))`;
/** Up to this many patterns use trigram indexes; for more, every value is read. */
export const maxIndexedPatterns = 5;

const testText: TestBuilder = (values, { pattern }) => {
  const patterns = values.filter((value) => value !== 'null').map(pattern);
  const isEmpty: Test = (value) => sql`(${value} is null or ${value} = '')`;
  return anyMatch([
    ...(patterns.length < values.length ? [isEmpty] : []),
    ...(patterns.length > 0 ? [(value: SQL) => likeAny(value, patterns)] : []),
  ]);
};
const testTags: TestBuilder = (values, { pattern }) => {
  const patterns = values.filter((value) => value !== 'null').map(pattern);
  const isEmpty: Test = (value) => sql`${value} = '{}'`;
  const matchesTag: Test = (value) =>
    sql`exists (select 1 from unnest(${value}) tag where ${likeAny(sql`tag`, patterns)})`;
  return anyMatch([
    ...(patterns.length < values.length ? [isEmpty] : []),
    ...(patterns.length > 0 ? [matchesTag] : []),
  ]);
};
export const equalsAny = (values: string[]): Test => anyOf(values, 'text');
const orNull =
  <Options>(test: (values: string[], options: Options) => Test) =>
  (values: string[], options: Options): Test => {
    const nonNull = values.filter((value) => value !== 'null');
    return anyMatch([
      ...(nonNull.length < values.length ? [isNull] : []),
      ...(nonNull.length > 0 ? [test(nonNull, options)] : []),
    ]);
  };
/**
 * A single declared choice is a literal: PostgreSQL then estimates by its frequency. For a parameter, a prepared
 * statement assumes that all choices are equally frequent, and reads a poor index for one that most rows have.
 */
const testChoices = (values: string[], { choices }: { choices: readonly string[] | undefined }): Test => {
  const choice = values.length === 1 ? choices?.find((declared) => declared === values[0]) : undefined;
  return choice === undefined ? equalsAny(values) : (value) => sql`${value} = ${sql.raw(quoteLiteral(choice))}`;
};
const quoteLiteral = (text: string) => `'${text.replaceAll("'", "''")}'`;
const testBooleans = (values: string[]): Test =>
  anyMatch(
    values.map((value) =>
      /^(true|1)$/.test(value)
        ? (operand: SQL) => sql`${operand}`
        : /^(false|0)$/.test(value)
          ? (operand: SQL) => sql`not ${operand}`
          : matchNone,
    ),
  );

type ComparableKind = Exclude<Kind, 'many' | 'password' | 'records'>;
const isComparable = (kind: Kind): kind is ComparableKind =>
  kind !== 'many' && kind !== 'password' && kind !== 'records';

const testBuilders: Record<ComparableKind, TestBuilder> = {
  text: testText,
  longtext: testText,
  email: testText,
  phone: testText,
  color: testText,
  image: testText,
  integer: (values) => testNumbers(values),
  number: (values) => testNumbers(values),
  money: (values) => testNumbers(values),
  boolean: orNull(testBooleans),
  date: (values, { timeZone }) => testDates(values, timeZone),
  instant: (values, { timeZone }) => testInstants(values, timeZone),
  choice: orNull(testChoices),
  tags: testTags,
  json: (values, options) => (value) => testText(values, options)(sql`(${value})::text`),
  hours: (values, options) => (value) => testText(values, options)(hoursTextSql(value)),
  ref: orNull(testIds),
  refs: testIds,
};

/** Whether values of the kind are compared as text, so that filters may also ask for equal texts or a beginning. */
export const isText = (kind: Kind): boolean =>
  isComparable(kind) && (testBuilders[kind] === testText || kind === 'tags' || isDocument(kind));

/** Stored as `jsonb`: compared as text, empty if null. */
const isDocument = (kind: Kind): boolean => kind === 'hours' || kind === 'json';

export const isDated = (kind: Kind): boolean => kind === 'date' || kind === 'instant';

interface TestOptions {
  test?: TextTest | 'contains' | undefined;
  /** Time zone of bare days; UTC by default. */
  timeZone?: string | undefined;
}

/** Test of a filter with these values on the value of a field. A field that cannot be compared matches nothing. */
export function buildTest(
  { kind, choices, write }: Field,
  values: string[],
  { test = 'contains', timeZone }: TestOptions = {},
): Test {
  if (!isComparable(kind)) return matchNone;
  // Stored text never contains NUL, and PostgreSQL rejects it in parameters.
  const storableValues = values.filter((value) => !value.includes('\0'));
  if (storableValues.length === 0) return matchNone;
  // A value out of a fixed set must match as a whole unless the filter names an operator.
  if (test === 'contains' && kind === 'text' && choices) return orNull(testChoices)(storableValues, { choices });
  if (test === 'contains' && kind === 'tags' && write === false)
    return (operand) => sql`${operand} && ${sql.param(storableValues)}::text[]`;
  return testBuilders[kind](storableValues, { pattern: patterns[test], timeZone, choices });
}

/** Test for any value, as opposed to `null`. */
export function isFilled({ kind }: Field): Test {
  if (kind === 'tags') return (value) => sql`${value} <> '{}'`;
  return isText(kind) && !isDocument(kind) ? (value) => sql`${value} <> ''` : (value) => sql`${value} is not null`;
}
