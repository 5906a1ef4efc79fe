/**
 * Creates and updates rows, inside a transaction wherever that takes more than one statement. What is acknowledged
 * afterwards is committed.
 */
import { sql } from 'drizzle-orm';
import { missing } from '../../../schema/dsl/checks';
import type { Entity, Scope } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import { entityNamed, hooksOf, linkTableOf, table } from '../../access/entityModel';
import { hasGlobalScope, scopeWhere, visibleIds } from '../../access/scope';
import type { Caller } from '../../context/caller';
import { ApiError, type FieldProblem } from '../../context/errors';
import type { Queries } from '../../db/core/database';
import { writeAuditEntries } from './audit';
import type { SentBody } from './body';
import type { Draft } from './draft';
import type { CurrentRow } from './lockRows';
import { RowErrors } from './rowErrors';
import { validateDraft } from './validate';

/** Hears how much of some bulk work is done. */
export type OnProgress = (done: number, of: number) => void;

/** What was written: the row's id and the values that changed. */
export interface WriteResult {
  id: number;
  values: Record<string, unknown>;
}

export async function createRow(draft: Draft): Promise<WriteResult> {
  const { tx, entity, caller, services } = draft;
  const values = await validateDraft(draft);
  const columns = columnValues(entity, values);
  const insert =
    columns.length === 0
      ? sql`insert into ${table(entity)} default values returning id`
      : sql`insert into ${table(entity)} (${sql.join(
          columns.map(([name]) => sql`${sql.identifier(name)}`),
          sql`, `,
        )}) values (${sql.join(
          columns.map(([, value]) => sql`${sql.param(value)}`),
          sql`, `,
        )}) returning id`;
  const row = await tx.one<{ id: number }>(insert);
  const id = (row as { id: number }).id;
  await storeLinks(tx, draft, { id, values });
  await hooksOf(entity).after?.({ tx, caller, services, id, values, current: undefined, fail: failNow(entity) });
  await writeAuditEntries(tx, { entity, by: caller, action: 'create' }, [{ id, after: values }]);
  await assertWithinScope(tx, entity, caller, [id]);
  return { id, values };
}

interface Many {
  /** What is sent for a row; the draft's own unless said. */
  sentFor?: (row: CurrentRow) => SentBody;
  /** Hears after each row how many are done. Throws to stop. */
  told?: OnProgress;
  /** Of work in pieces, of which these rows are one. */
  refusals?: RowErrors;
}

/**
 * Changes locked rows; those that would not change are not written. Gives back what changed, for every row. All or
 * none: of several the ones that refuse are named.
 */
export async function updateRows(
  draft: Omit<Draft, 'current'>,
  rows: readonly CurrentRow[],
  { sentFor, told, refusals = new RowErrors({ ...draft, of: rows.length }) }: Many = {},
): Promise<WriteResult[]> {
  const { tx, entity, caller, services } = draft;
  const written: WriteResult[] = [];
  for (const current of rows) {
    const values = await refusals.taking(current.id, () =>
      validateDraft({ ...draft, current, ...(sentFor && { sent: sentFor(current) }) }),
    );
    if (values) written.push({ id: current.id, values });
    told?.(written.length, rows.length);
  }
  if (await refusals.stop(tx)) return [];
  const stored = new Map(rows.map((row) => [row.id, row]));
  for (const { ids, values } of alike(written)) {
    const sets = columnValues(entity, values).map(
      ([name, value]) => sql`${sql.identifier(name)} = ${sql.param(value)}, `,
    );
    await tx.rows(
      sql`update ${table(entity)} set ${sql.join(sets, sql``)}version = version + 1, updated_at = now()
        where id = any(${sql.param(ids)}::int[])`,
    );
    const { after, afterEdit } = hooksOf(entity);
    const contexts = ids.map((id) => ({
      tx,
      caller,
      services,
      id,
      values,
      current: stored.get(id) as CurrentRow,
      fail: failNow(entity),
    }));
    for (const context of contexts) {
      await refusals.taking(context.id, async () => {
        await storeLinks(tx, draft, context);
        await after?.(context);
      });
      told?.(rows.length, rows.length);
    }
    await afterEdit?.(contexts);
    for (const [id, refusal] of await gone(tx, entity, caller, ids)) refusals.add(id, refusal);
  }
  if (await refusals.stop(tx)) return [];
  const notes = written.map(({ id, values }) => ({ id, before: stored.get(id), after: values }));
  await writeAuditEntries(tx, { entity, by: caller, action: 'edit' }, notes);
  return written;
}

/** Rows that change in the same way, to be written by one statement. */
function alike(written: readonly WriteResult[]): { ids: number[]; values: Record<string, unknown> }[] {
  const groups = new Map<string, { ids: number[]; values: Record<string, unknown> }>();
  for (const { id, values } of written) {
    if (Object.keys(values).length === 0) continue;
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? { ids: [], values };
    group.ids.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

const failNow = (entity: Entity) => (field: string, found: FieldProblem) => {
  throw ApiError.invalidAt(field, found, entity.name);
};

/** The columns of the row itself among the values, as PostgreSQL takes them. */
export function columnValues(entity: Entity, values: Record<string, unknown>): [string, unknown][] {
  return Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    const field = entity.fields[name] as Field;
    if (
      ['refs', 'records', 'password', 'many'].includes(field.kind) ||
      (field.store ?? 'row') !== 'row' ||
      value === undefined
    )
      return [];
    return [[name, field.kind === 'money' && value !== null ? String(value) : value]];
  });
}

/** Puts the links of `refs` fields in place. Links to rows that the caller cannot see are not theirs to remove. */
export async function storeLinks(
  tx: Queries,
  { entity, caller }: Pick<Draft, 'entity' | 'caller'>,
  { id, values }: WriteResult,
): Promise<void> {
  for (const [name, field] of Object.entries(entity.fields)) {
    if (field.kind !== 'refs' || !Array.isArray(values[name])) continue;
    const ids = sql.param(values[name] as number[]);
    const link = linkTableOf(entity, field);
    const target = entityNamed(field.to as string);
    const m = sql.raw('m');
    await tx.rows(
      sql`delete from ${link.table} l using ${table(target)} m where l.${link.own} = ${id}::int
        and m.id = l.${link.other} and not m.id = any(${ids}::int[]) and ${scopeWhere(target, caller, m)}`,
    );
    await tx.rows(
      sql`insert into ${link.table} (${link.own}, ${link.other})
        select ${id}::int, unnest(${ids}::int[]) on conflict do nothing`,
    );
  }
}

/**
 * After every write the row must still be within the caller's scope; otherwise the field that took it out is refused.
 */
export async function assertWithinScope(
  tx: Queries,
  entity: Entity,
  caller: Caller,
  ids: readonly number[],
): Promise<void> {
  for (const [, refusal] of await gone(tx, entity, caller, ids)) throw refusal;
}

/** The rows that left the caller's scope, each with its refusal. */
async function gone(
  tx: Queries,
  entity: Entity,
  caller: Caller,
  ids: readonly number[],
): Promise<[id: number, refusal: ApiError][]> {
  if (hasGlobalScope(entity, caller)) return [];
  const seen = new Set(await visibleIds(tx, entity, caller, ids));
  const left = ids.filter((id) => !seen.has(id));
  if (left.length === 0) return [];
  const field = decidingField(entity, caller);
  const problem: FieldProblem = (await isLeftOut(tx, entity, field, left))
    ? missing(entity.fields[field] as Field)
    : { text: 'beyond_own_rights', values: {} };
  return left.map((id) => [id, ApiError.invalidAt(field, problem, entity.name)]);
}

/** Whether the rows belong to nobody: people forget a field more often than they reach too far. */
async function isLeftOut(tx: Queries, entity: Entity, name: string, ids: readonly number[]): Promise<boolean> {
  if (entity.fields[name]?.kind !== 'ref') return false;
  const found = await tx.one(
    sql`select 1 from ${table(entity)} where id = any(${sql.param([...ids])}::int[]) and ${sql.identifier(name)} is null
      limit 1`,
  );
  return found !== undefined;
}

/** The own field at which the caller's scope begins: `fleet_id` for a machine. */
function decidingField(entity: Entity, { scopes }: Caller): string {
  const { country, client, site, machine } = entity.scope as Scope;
  const path =
    (scopes.has('country') && country) ||
    ((scopes.has('partner') || scopes.has('client')) && client) ||
    site?.fleet ||
    machine?.fleet ||
    country ||
    client ||
    'id';
  const [first = 'id'] = path.split('.');
  return [first, `${first}_id`].find((name) => Object.hasOwn(entity.fields, name)) ?? 'id';
}
