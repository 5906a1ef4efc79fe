/** Checks that need the database: references visible to the caller, unique values not taken. One statement runs all. */
import { type SQL, sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import { column, notDeleted, table } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import type { FieldProblem } from '../../context/errors';
import { pg, type RowShape } from '../../db/core/rowShape';
import type { Draft } from './draft';

interface CheckInput {
  values: Record<string, unknown>;
  /** Whether no problem with the field has been found so far. */
  isFieldValid: (name: string) => boolean;
  fail: (field: string, problem: FieldProblem) => void;
}

export interface DatabaseCheck {
  name: string;
  problem: FieldProblem;
  /** SQL that is true if the value is invalid. */
  isInvalidSql: SQL;
  /** Key under which bulk requests remember that a reference is visible, to check it only once. */
  cacheKey?: string;
}

/** Runs the checks that the values of a draft need, in one statement. Reports problems with `input.fail`. */
export async function runDatabaseChecks(draft: Draft, input: CheckInput): Promise<void> {
  const checks = databaseChecksOf(draft, input);
  if (checks.length === 0) return;
  reportFailures(
    draft,
    { checks, fail: input.fail },
    await draft.tx.selectOne(checkShape(checks), sql`select ${sql.join(checks.map(checkSql), sql`, `)}`),
  );
}

/** The checks that the values of a draft need. */
export function databaseChecksOf(draft: Draft, { values, isFieldValid }: Omit<CheckInput, 'fail'>): DatabaseCheck[] {
  return Object.entries(draft.entity.fields)
    .filter(
      ([name]) =>
        Object.hasOwn(values, name) && values[name] !== undefined && values[name] !== null && isFieldValid(name),
    )
    .flatMap(([name, field]) => [
      ...referenceChecks(draft, { name, field, value: values[name] }),
      ...uniqueChecks(draft, { name, field, value: values[name] }),
    ])
    .filter(({ cacheKey }) => cacheKey === undefined || !draft.visibleReferences?.has(cacheKey));
}

/** SQL: the check as column `q0`, `q1`, …; true if the value is invalid. */
export const checkSql = ({ isInvalidSql }: DatabaseCheck, index: number): SQL =>
  sql`${isInvalidSql} as ${checkColumnSql(index)}`;

/** Cached shapes, by number of checks; building one costs more than a check. */
const checkShapes: RowShape[] = [];

/** Shape of a row that has the column of each check. */
export function checkShape({ length }: readonly DatabaseCheck[]): RowShape {
  checkShapes[length] ??= Object.fromEntries(Array.from({ length }, (_, index) => [`q${index}`, pg.boolean]));
  return checkShapes[length];
}

/** SQL: the column of the check with this index. */
export const checkColumnSql = (index: number): SQL => sql.raw(`q${index}`);

/** Reports with `fail` the checks that found an invalid value. `results` is the row of their columns. */
export function reportFailures(
  draft: Draft,
  { checks, fail }: { checks: readonly DatabaseCheck[]; fail: CheckInput['fail'] },
  results: Readonly<Record<string, unknown>> | undefined,
): void {
  const invisibleNames = new Set<string>();
  for (const [index, { name, problem, cacheKey }] of checks.entries()) {
    // Whether an invisible row is in use must not be revealed.
    if (invisibleNames.has(name)) continue;
    if (results?.[`q${index}`]) {
      fail(name, problem);
      if (cacheKey !== undefined) invisibleNames.add(name);
    } else if (cacheKey !== undefined) draft.visibleReferences?.add(cacheKey);
  }
}

interface CheckedValue {
  name: string;
  field: Field;
  value: unknown;
}

const m = sql.raw('m');

/**
 * References must point at rows that the caller sees and that are not deleted. `for key share` waits for a concurrent
 * soft delete, which the foreign key would not notice.
 */
function referenceChecks({ entity, caller }: Draft, { name, field, value }: CheckedValue): DatabaseCheck[] {
  if (field.kind !== 'ref' && field.kind !== 'refs') return [];
  const target = entity.model.require(field.to as string);
  if (field.kind === 'ref') {
    const visibleRowsSql = sql`select from ${table(target)} m where m.id = ${value}::int and ${notDeleted(m)}
      and ${scopeWhere(target, caller, m)} for key share of m`;
    return [
      {
        name,
        problem: { key: 'exists' },
        isInvalidSql: sql`not exists (${visibleRowsSql})`,
        cacheKey: `${name}:${value}`,
      },
    ];
  }
  const ids = value as number[];
  const visibleIdsSql = sql`select m.id from ${table(target)} m
    where m.id = any(${sql.param(ids)}::int[]) and ${notDeleted(m)}
    and ${scopeWhere(target, caller, m)} for key share of m`;
  return [
    {
      name,
      problem: { key: 'exists' },
      isInvalidSql: sql`(select count(*) from (${visibleIdsSql}) visible) < ${ids.length}::int`,
      cacheKey: `${name}:${ids.join(',')}`,
    },
  ];
}

/**
 * Unique values must not be taken. The check only reports this together with all other problems; between concurrent
 * writers the unique key decides.
 */
function uniqueChecks({ entity, current, caller }: Draft, { name, field, value }: CheckedValue): DatabaseCheck[] {
  if (!field.unique) return [];
  const { own } = entity.hooks;
  if (current && own?.is(caller, current.id) && own.hiddenDuplicates?.(caller).includes(name)) return [];
  const isEqualSql =
    field.kind === 'email'
      ? sql`lower(${column(m, name)}) = lower(${value}::text)`
      : sql`${column(m, name)} = ${value}`;
  return [
    {
      name,
      problem: { key: 'taken' },
      isInvalidSql: sql`exists (select 1 from ${table(entity)} m where ${isEqualSql} and ${notDeleted(m)}
        and m.id <> ${current?.id ?? 0}::int)`,
    },
  ];
}
