/**
 * What only the database knows about values: whether references lead to rows that the caller sees, and whether unique
 * values are free. One statement for all.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import { column, entityNamed, hooksOf, notDeleted, table } from '../../access/entityModel';
import { scopeWhere } from '../../access/scope';
import type { FieldProblem } from '../../context/errors';
import type { Draft } from './draft';

interface Asking {
  values: Record<string, unknown>;
  /** Whether nothing was found wrong with a field so far. */
  sound: (name: string) => boolean;
  fail: (field: string, found: FieldProblem) => void;
}

export interface DatabaseCheck {
  name: string;
  found: FieldProblem;
  /** True in SQL when the value is wrong. */
  isWrong: SQL;
  /** Bulk work: the same reference need not be looked up again. */
  memory?: string;
}

export async function runDatabaseChecks(draft: Draft, asking: Asking): Promise<void> {
  const questions = databaseChecksOf(draft, asking);
  if (questions.length === 0) return;
  noteAnswers(
    draft,
    { questions, fail: asking.fail },
    await draft.tx.one<DatabaseCheckResult>(sql`select ${sql.join(questions.map(asColumn), sql`, `)}`),
  );
}

/** What there is to ask about the values of a draft. */
export function databaseChecksOf(draft: Draft, { values, sound }: Omit<Asking, 'fail'>): DatabaseCheck[] {
  return Object.entries(draft.entity.fields)
    .filter(
      ([name]) => Object.hasOwn(values, name) && values[name] !== undefined && values[name] !== null && sound(name),
    )
    .flatMap(([name, field]) => [
      ...referenceOf(draft, { name, field, value: values[name] }),
      ...uniqueOf(draft, { name, field, value: values[name] }),
    ])
    .filter(({ memory }) => memory === undefined || !draft.seen?.has(memory));
}

export type DatabaseCheckResult = Record<string, boolean>;

/** A question as a column `q0..`, true where something is wrong. */
export const asColumn = ({ isWrong }: DatabaseCheck, index: number): SQL => sql`${isWrong} as ${answerAt(index)}`;

export const answerAt = (index: number): SQL => sql.raw(`q${index}`);

/** Notes with `fail` what the answers found wrong. */
export function noteAnswers(
  draft: Draft,
  { questions, fail }: { questions: readonly DatabaseCheck[]; fail: Asking['fail'] },
  answers: DatabaseCheckResult | undefined,
): void {
  const unseen = new Set<string>();
  for (const [index, { name, found, memory }] of questions.entries()) {
    // Whether a row that the caller does not see is in use is not theirs to know.
    if (unseen.has(name)) continue;
    if (answers?.[`q${index}`]) {
      fail(name, found);
      if (memory !== undefined) unseen.add(name);
    } else if (memory !== undefined) draft.seen?.add(memory);
  }
}

interface SentValue {
  name: string;
  field: Field;
  value: unknown;
}

const m = sql.raw('m');

/**
 * Every reference must point at a living row that the caller can see, and that stays: one that is just going to the bin
 * is waited for (the foreign key would wait as well, but it knows nothing of bins).
 */
function referenceOf({ caller }: Draft, { name, field, value }: SentValue): DatabaseCheck[] {
  if (field.kind !== 'ref' && field.kind !== 'refs') return [];
  const target = entityNamed(field.to as string);
  if (field.kind === 'ref') {
    const seen = sql`select from ${table(target)} m where m.id = ${value}::int and ${notDeleted(m)}
      and ${scopeWhere(target, caller, m)} for key share of m`;
    return [{ name, found: { key: 'exists' }, isWrong: sql`not exists (${seen})`, memory: `${name}:${value}` }];
  }
  const ids = value as number[];
  const seen = sql`select m.id from ${table(target)} m where m.id = any(${sql.param(ids)}::int[]) and ${notDeleted(m)}
    and ${scopeWhere(target, caller, m)} for key share of m`;
  return [
    {
      name,
      found: { key: 'exists' },
      isWrong: sql`(select count(*) from (${seen}) seen) < ${ids.length}::int`,
      memory: `${name}:${ids.join(',')}`,
    },
  ];
}

/**
 * A race for the same value is decided by the unique key; this finds it together with everything else that is wrong.
 */
function uniqueOf({ entity, current, caller }: Draft, { name, field, value }: SentValue): DatabaseCheck[] {
  if (!field.unique) return [];
  const { own } = hooksOf(entity);
  if (current && own?.is(caller, current.id) && own.untold?.(caller).includes(name)) return [];
  const equal =
    field.kind === 'email'
      ? sql`lower(${column(m, name)}) = lower(${value}::text)`
      : sql`${column(m, name)} = ${value}`;
  return [
    {
      name,
      found: { key: 'taken' },
      isWrong: sql`exists (select 1 from ${table(entity)} m where ${equal} and ${notDeleted(m)}
        and m.id <> ${current?.id ?? 0}::int)`,
    },
  ];
}
