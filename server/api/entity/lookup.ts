/** What only the database knows about values: whether references lead to rows that the caller sees, and whether unique values are free. One statement for all. */
import { type SQL, sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import { accessVersion, refuseOther } from '../auth';
import type { FieldProblem } from '../errors';
import { column, entityNamed, living, table } from '../model';
import { within } from '../scope';
import type { Draft } from './draft';

interface Asking {
  values: Record<string, unknown>;
  /** Whether nothing was found wrong with a field so far. */
  sound: (name: string) => boolean;
  fail: (field: string, found: FieldProblem) => void;
}

interface Question {
  name: string;
  found: FieldProblem;
  /** True in SQL when the value is wrong. */
  isWrong: SQL;
  /** Bulk work: the same reference need not be looked up again. */
  memory?: string;
}

export async function askDatabase(draft: Draft, { values, sound, fail }: Asking): Promise<void> {
  const asked = Object.entries(draft.entity.fields).filter(
    ([name]) => Object.hasOwn(values, name) && values[name] !== undefined && values[name] !== null && sound(name),
  );
  const questions = asked
    .flatMap(([name, field]) => [...referenceOf(draft, { name, field, value: values[name] }), ...uniqueOf(draft, { name, field, value: values[name] })])
    .filter(({ memory }) => memory === undefined || !draft.seen?.has(memory));
  if (questions.length === 0 && !draft.proves) return;
  const columns = questions.map(({ isWrong }, index) => sql`${isWrong} as ${sql.identifier(`q${index}`)}`);
  if (draft.proves) columns.push(sql`${sql.raw(accessVersion)} as access`);
  const answer = await draft.tx.one<Record<string, boolean> & { access: number }>(sql`select ${sql.join(columns, sql`, `)}`);
  if (draft.proves) refuseOther(draft.caller, answer?.access);
  for (const [index, { name, found, memory }] of questions.entries()) {
    if (answer?.[`q${index}`]) fail(name, found);
    else if (memory !== undefined) draft.seen?.add(memory);
  }
}

interface Given {
  name: string;
  field: Field;
  value: unknown;
}

const m = sql.raw('m');

/** Every reference must point at a living row that the caller can see. */
function referenceOf({ caller }: Draft, { name, field, value }: Given): Question[] {
  if (field.kind !== 'ref' && field.kind !== 'refs') return [];
  const target = entityNamed(field.to as string);
  const ids = Array.isArray(value) ? (value as number[]) : [value as number];
  const visible = sql`select count(*) from ${table(target)} m where m.id = any(${sql.param(ids)}::int[]) and ${living(m)} and ${within(target, caller, m)}`;
  return [{ name, found: { key: 'exists' }, isWrong: sql`(${visible}) < ${ids.length}::int`, memory: `${name}:${ids.join(',')}` }];
}

/** A race for the same value is decided by the unique key; this finds it together with everything else that is wrong. */
function uniqueOf({ entity, current }: Draft, { name, field, value }: Given): Question[] {
  if (!field.unique) return [];
  const equal = field.kind === 'email' ? sql`lower(${column(m, name)}) = lower(${value}::text)` : sql`${column(m, name)} = ${value}`;
  return [
    {
      name,
      found: { key: 'taken' },
      isWrong: sql`exists (select 1 from ${table(entity)} m where ${equal} and ${living(m)} and m.id <> ${current?.id ?? 0}::int)`,
    },
  ];
}
