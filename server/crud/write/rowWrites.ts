/** Creates and updates rows inside the caller's transaction. `insert.ts` creates single rows without one. */
import { sql } from 'drizzle-orm';
import { missingProblem } from '../../../schema/dsl/checks';
import type { Scope } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import { linkTableOf, table } from '../../access/entityModel';
import { hasGlobalScope, scopeWhere, visibleIds } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import { ApiError, type FieldProblem } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import type { Draft } from './draft';
import type { CurrentRow } from './lockRows';
import type { RequestBody } from './requestBody';
import { RowErrors } from './rowErrors';
import { validateDraft } from './validateDraft';
import { writeAuditEntries } from './writeAuditEntries';

/** Receives the progress of bulk work. */
export type OnProgress = (rowsDone: number, total: number) => void;

/** Result of a write: id and changed values. */
export interface WriteResult {
  id: number;
  values: Record<string, unknown>;
}

/** Creates a row with its links and audit entry. Throws 422 if it is invalid or out of the caller's scope. */
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
  const row = await tx.selectOne({ id: pg.integer }, insert);
  const id = (row as { id: number }).id;
  await storeLinks(tx, draft, { id, values });
  await entity.hooks.after?.({ tx, caller, services, id, values, current: undefined, fail: throwProblem(entity) });
  await writeAuditEntries(tx, { entity, by: caller, action: 'create' }, [{ id, after: values }]);
  await requireWithinScope(tx, entity, caller, [id]);
  return { id, values };
}

interface UpdateOptions {
  /** Body per row; the draft's by default. */
  bodyFor?: (row: CurrentRow) => RequestBody;
  /** Called after each row. Throws to cancel. */
  onProgress?: OnProgress;
  /** Shared row errors, if these rows are one batch of a bulk request. */
  rowErrors?: RowErrors;
}

/**
 * Updates locked rows and returns the changed values of each; does not write unchanged rows. All or nothing: if any row
 * fails, row errors name the rows that do.
 */
export async function updateRows(
  draft: Omit<Draft, 'current'>,
  rows: readonly CurrentRow[],
  { bodyFor, onProgress, rowErrors = new RowErrors({ ...draft, total: rows.length }) }: UpdateOptions = {},
): Promise<WriteResult[]> {
  const { tx, entity, caller, services } = draft;
  const results: WriteResult[] = [];
  for (const current of rows) {
    const values = await rowErrors.attempt(current.id, () =>
      validateDraft({ ...draft, current, ...(bodyFor && { body: bodyFor(current) }) }),
    );
    if (values) results.push({ id: current.id, values });
    onProgress?.(results.length, rows.length);
  }
  if (await rowErrors.mustStop(tx)) return [];
  const storedRows = new Map(rows.map((row) => [row.id, row]));
  for (const { ids, values } of groupByValues(results)) {
    const assignments = columnValues(entity, values).map(
      ([name, value]) => sql`${sql.identifier(name)} = ${sql.param(value)}, `,
    );
    await tx.rows(
      sql`update ${table(entity)} set ${sql.join(assignments, sql``)}version = version + 1, updated_at = now()
        where id = any(${sql.param(ids)}::int[])`,
    );
    const { after, afterEdit } = entity.hooks;
    const contexts = ids.map((id) => ({
      tx,
      caller,
      services,
      id,
      values,
      current: storedRows.get(id) as CurrentRow,
      fail: throwProblem(entity),
    }));
    for (const context of contexts) {
      await rowErrors.attempt(context.id, async () => {
        await storeLinks(tx, draft, context);
        await after?.(context);
      });
      onProgress?.(rows.length, rows.length);
    }
    await afterEdit?.(contexts);
    for (const [id, error] of await findOutOfScope(tx, entity, caller, ids)) rowErrors.add(id, error);
  }
  if (await rowErrors.mustStop(tx)) return [];
  const entries = results.map(({ id, values }) => ({ id, before: storedRows.get(id), after: values }));
  await writeAuditEntries(tx, { entity, by: caller, action: 'edit' }, entries);
  return results;
}

/** Groups rows by equal changes, to be written by one statement each. */
function groupByValues(results: readonly WriteResult[]): { ids: number[]; values: Record<string, unknown> }[] {
  const groups = new Map<string, { ids: number[]; values: Record<string, unknown> }>();
  for (const { id, values } of results) {
    if (Object.keys(values).length === 0) continue;
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? { ids: [], values };
    group.ids.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

const throwProblem = (entity: ModelEntity) => (field: string, problem: FieldProblem) => {
  throw ApiError.invalidAt(field, problem, entity.name);
};

/** Values of the columns in the entity's table, as PostgreSQL parameters; none of links, records or side tables. */
export function columnValues(entity: ModelEntity, values: Record<string, unknown>): [string, unknown][] {
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

/** Replaces the links of `refs` fields. Keeps links to rows that the caller cannot see. */
export async function storeLinks(
  tx: Queries,
  { entity, caller }: Pick<Draft, 'entity' | 'caller'>,
  { id, values }: WriteResult,
): Promise<void> {
  for (const [name, field] of Object.entries(entity.fields)) {
    if (field.kind !== 'refs' || !Array.isArray(values[name])) continue;
    const ids = sql.param(values[name] as number[]);
    const link = linkTableOf(entity, field);
    const target = entity.model.require(field.to as string);
    const m = sql.raw('m');
    await tx.rows(
      sql`delete from ${link.table} l using ${table(target)} m where l.${link.ownColumn} = ${id}::int
        and m.id = l.${link.otherColumn} and not m.id = any(${ids}::int[]) and ${scopeWhere(target, caller, m)}`,
    );
    await tx.rows(
      sql`insert into ${link.table} (${link.ownColumn}, ${link.otherColumn})
        select ${id}::int, unnest(${ids}::int[]) on conflict do nothing`,
    );
  }
}

/** Requires, after a write, that the rows are within the caller's scope. Throws 422 at the deciding field. */
export async function requireWithinScope(
  tx: Queries,
  entity: ModelEntity,
  caller: Caller,
  ids: readonly number[],
): Promise<void> {
  for (const [, error] of await findOutOfScope(tx, entity, caller, ids)) throw error;
}

/** Rows that left the caller's scope, each with its error. */
async function findOutOfScope(
  tx: Queries,
  entity: ModelEntity,
  caller: Caller,
  ids: readonly number[],
): Promise<[id: number, error: ApiError][]> {
  if (hasGlobalScope(entity, caller)) return [];
  const visibleIdSet = new Set(await visibleIds(tx, entity, caller, ids));
  const outsideIds = ids.filter((id) => !visibleIdSet.has(id));
  if (outsideIds.length === 0) return [];
  const field = decidingField(entity, caller);
  const problem: FieldProblem = (await isUnassigned(tx, entity, field, outsideIds))
    ? missingProblem(entity.fields[field] as Field)
    : { text: 'beyond_own_rights', values: {} };
  return outsideIds.map((id) => [id, ApiError.invalidAt(field, problem, entity.name)]);
}

/**
 * Whether the deciding field of one of the rows is empty. An empty field is reported as a missing value, since leaving
 * it out is more common than assigning a row out of scope.
 */
async function isUnassigned(tx: Queries, entity: ModelEntity, name: string, ids: readonly number[]): Promise<boolean> {
  if (entity.fields[name]?.kind !== 'ref') return false;
  const row = await tx.one(
    sql`select 1 from ${table(entity)} where id = any(${sql.param([...ids])}::int[]) and ${sql.identifier(name)} is null
      limit 1`,
  );
  return row !== undefined;
}

/** The own field at which the caller's scope path begins: `fleet_id` for a machine. */
function decidingField(entity: ModelEntity, { scopes }: Caller): string {
  const { country, client, site = [], machine = [] } = entity.scope as Scope;
  const path =
    (scopes.has('country') && country) ||
    ((scopes.has('partner') || scopes.has('client')) && client) ||
    [site, machine].flat().find(({ fleet }) => fleet)?.fleet ||
    country ||
    client ||
    'id';
  const [firstStep = 'id'] = path.split('.');
  return [firstStep, `${firstStep}_id`].find((name) => Object.hasOwn(entity.fields, name)) ?? 'id';
}
