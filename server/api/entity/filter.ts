/** Filters of the list dialect as SQL (contract: "Filters"). Values are parameters; a value that its kind cannot hold matches nothing. */
import { type SQL, sql } from 'drizzle-orm';
import { isDay, limits } from '../../../schema/dsl/checks';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field, Kind } from '../../../schema/dsl/field';
import type { ListQuery } from '../../../schema/dsl/query';
import { whereAlong } from '../along';
import { type Caller, holds } from '../caller';
import { Refusal } from '../errors';
import { living, relationsOf, type Sketch } from '../model';
import { within } from '../scope';
import { bucketSql, isBucket } from './bucket';
import { readable, seen } from './fields';

type Test = (value: SQL) => SQL;

/** The condition that all filters of a query put on the alias `row`, trashed or living rows included. Unknown filters are refused with 400. */
export function filterSql(entity: Entity, { caller, filter, row, sketch }: { caller: Caller; filter: ListQuery['filter']; row: SQL; sketch: Sketch }): SQL {
  const unknown = filter.filter(({ path }) => !known(entity, caller, path)).map(({ path }) => path);
  if (unknown.length > 0) throw Refusal.notAllowed('filter', unknown, allowedFilters(entity, caller));
  const walk = { sketch, caller, limit: (relation: { target: Entity }, to: SQL) => within(relation.target, caller, to, sketch) };
  const conditions = filter
    .filter(({ path }) => path !== 'trashed')
    .map(({ path, values }) => {
      if (path === 'search') return searchSql(entity, { row, values, walk, caller });
      if (isBucket(entity, path)) return bucketSql({ entity, row, caller, sketch }, path, exactly(values));
      const steps = path.split('.');
      return whereAlong(entity, row, steps, testOf(leaf(entity, steps) as Field, values), walk);
    });
  return sql.join([trashed(filter, row), ...conditions], sql` and `);
}

/** The names offered when an unknown filter is refused. */
export function allowedFilters(entity: Entity, caller: Caller): string[] {
  const own = readable(entity, caller).filter((name) => entity.fields[name]?.kind !== 'records');
  const declared = [...entity.list.filters, ...entity.list.search].filter((path) => path.includes('.') && known(entity, caller, path));
  const buckets = Object.keys(entity.buckets).filter((name) => isBucket(entity, name));
  return [...new Set([...own, ...buckets, ...declared, 'search', 'trashed'])];
}

function known(entity: Entity, caller: Caller, path: string): boolean {
  if (path === 'search' || path === 'trashed' || isBucket(entity, path)) return true;
  const steps = path.split('.');
  if (steps.length > 4) return false;
  const field = leaf(entity, steps, caller);
  return field !== undefined && field.kind !== 'records' && field.kind !== 'many' && field.kind !== 'password';
}

/** The field at the end of a path; with a caller, only along what that caller may read. */
export function leaf(entity: Entity, [step = '', ...rest]: readonly string[], caller?: Caller): Field | undefined {
  if (rest.length === 0) {
    const field = Object.hasOwn(entity.fields, step) ? entity.fields[step] : undefined;
    return field && (!caller || seen(field, caller)) ? field : undefined;
  }
  const relation = relationsOf(entity).get(step);
  if (!relation || (caller && !mayFollow(relation, caller))) return undefined;
  return leaf(relation.target, rest, caller);
}

/** Whether a caller may look through a relation: its field and the entity behind it are theirs to read. */
export function mayFollow({ field, target }: { field: Field; target: Entity }, caller: Caller): boolean {
  return seen(field, caller) && (holds(caller, `${target.name}.list`) || holds(caller, `${target.name}.show`));
}

function trashed(filter: ListQuery['filter'], row: SQL): SQL {
  const asked = filter.find(({ path }) => path === 'trashed')?.values[0];
  if (asked === 'only') return sql`${row}.deleted_at is not null`;
  return asked === 'with' ? sql`true` : living(row);
}

function searchSql(entity: Entity, { row, values, walk, caller }: { row: SQL; values: string[]; walk: Parameters<typeof whereAlong>[4]; caller: Caller }): SQL {
  const paths = entity.list.search.filter((path) => known(entity, caller, path));
  const hits = paths.map((path) => {
    const at = walk.sketch.alias();
    walk.sketch.reads(entity.name);
    // Each branch uses the trigram index of its own column; an "or" over several tables could use none.
    return sql`select ${at}.id from ${sql.identifier(entity.name)} ${at} where ${whereAlong(entity, at, path.split('.'), testOf(leaf(entity, path.split('.')) as Field, values), walk)}`;
  });
  return hits.length === 0 ? sql`false` : sql`${row}.id in (${sql.join(hits, sql` union all `)})`;
}

const any =
  (tests: Test[]): Test =>
  (value) =>
    tests.length === 1
      ? (tests[0] as Test)(value)
      : sql`(${sql.join(
          tests.map((test) => test(value)),
          sql` or `,
        )})`;
const all =
  (tests: Test[]): Test =>
  (value) =>
    sql`(${sql.join(
      tests.map((test) => test(value)),
      sql` and `,
    )})`;
const nothing: Test = () => sql`false`;
const isNull: Test = (value) => sql`${value} is null`;

const escaped = (value: string) => value.replace(/[\\%_]/g, '\\$&');
const contains =
  (value: string): Test =>
  (given) =>
    sql`${given} ilike ${`%${escaped(value)}%`}`;

/** One value is compared by `=`: rows of a single value come out of an index in its further order, those of several don't. */
const anyOf =
  (values: readonly (string | number)[], type: 'int' | 'text'): Test =>
  (value) =>
    values.length === 1 ? sql`${value} = ${values[0]}::${sql.raw(type)}` : sql`${value} = any(${sql.param(values)}::${sql.raw(type)}[])`;

const integers = (values: string[]): Test => {
  const ids = values
    .filter((value) => /^\d{1,10}$/.test(value))
    .map(Number)
    .filter((id) => id <= limits.integer);
  return ids.length === 0 ? nothing : anyOf(ids, 'int');
};

const operators = ['>=', '<=', '<>', '>', '<'] as const;
type Operator = (typeof operators)[number] | '=';

/** Numbers and dates: `>=100` compares, plain values are alternatives; a comma joins comparisons by "and". */
const compared =
  (parse: (value: string, operator: Operator) => Test): ((values: string[]) => Test) =>
  (values) => {
    const split = values.map((value) => {
      const operator: Operator = operators.find((sign) => value.startsWith(sign)) ?? '=';
      return { operator, value: operator === '=' ? value : value.slice(operator.length) };
    });
    const equal = split.filter(({ operator }) => operator === '=').map(({ value }) => (value === 'null' ? isNull : parse(value, '=')));
    const ranged = split.filter(({ operator }) => operator !== '=').map(({ value, operator }) => parse(value, operator));
    return all([...(equal.length > 0 ? [any(equal)] : []), ...ranged]);
  };

const sign = (operator: Operator): SQL => sql.raw(operator);

/** A whole number is compared as one, so that an index over integers is of use. */
const numeric = compared((text, operator) => {
  if (!/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return nothing;
  const type = sql.raw(text.includes('.') ? 'numeric' : Math.abs(Number(text)) <= limits.integer ? 'int' : 'bigint');
  return (value) => sql`${value} ${sign(operator)} ${text}::${type}`;
});

const day = compared((text, operator) => (isDay(text) ? (value) => sql`${value} ${sign(operator)} ${text}::date` : nothing));

/** A bare day stands for all its moments (UTC): equal is within it, after is after its end. */
const moment = compared((text, operator) => {
  if (isDay(text)) {
    const start = sql`${text}::date::timestamp at time zone 'UTC'`;
    const end = sql`(${text}::date + 1)::timestamp at time zone 'UTC'`;
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
  const exact = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) ? new Date(text) : undefined;
  return exact && !Number.isNaN(exact.getTime()) ? (value) => sql`${value} ${sign(operator)} ${exact.toISOString()}::timestamptz` : nothing;
});

const words = (values: string[]): Test =>
  any(values.map((value) => (value === 'null' ? (given: SQL) => sql`(${given} is null or ${given} = '')` : contains(value))));
const exactly = (values: string[]): Test => anyOf(values, 'text');
const orNull =
  (test: (values: string[]) => Test) =>
  (values: string[]): Test => {
    const given = values.filter((value) => value !== 'null');
    return any([...(given.length < values.length ? [isNull] : []), ...(given.length > 0 ? [test(given)] : [])]);
  };
const truth = (values: string[]): Test =>
  any(
    values.map((value) => (/^(true|1)$/.test(value) ? (given: SQL) => sql`${given}` : /^(false|0)$/.test(value) ? (given: SQL) => sql`not ${given}` : nothing)),
  );

const tests: Record<Exclude<Kind, 'many' | 'password' | 'records'>, (values: string[]) => Test> = {
  text: words,
  longtext: words,
  email: words,
  phone: words,
  color: words,
  image: words,
  integer: numeric,
  number: numeric,
  money: numeric,
  boolean: orNull(truth),
  date: day,
  instant: moment,
  choice: orNull(exactly),
  tags: (values) =>
    any(
      values.map((value) =>
        value === 'null'
          ? (given: SQL) => sql`${given} = '{}'`
          : (given: SQL) => sql`exists (select 1 from unnest(${given}) tag where tag ilike ${`%${escaped(value)}%`})`,
      ),
    ),
  ref: orNull(integers),
  refs: integers,
};

/** The test that a field's filter puts on its value. `id`s are exact, other integers compare. */
export function testOf(field: Field, values: string[]): Test {
  if (field.kind === 'many' || field.kind === 'password' || field.kind === 'records') return nothing;
  // No stored text holds a NUL, and PostgreSQL takes none as a parameter.
  const storable = values.filter((value) => !value.includes('\0'));
  return storable.length === 0 ? nothing : tests[field.kind](storable);
}
