/** Soft delete and restore, inside a transaction. */
import { sql } from 'drizzle-orm';
import { addToGroup } from '../../../schema/dsl/addToGroup';
import { column, hasState, notDeleted, stateTableSql, table } from '../../access/entityModel';
import { titleSql } from '../../access/titleSql';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity, Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { nameOf } from '../../i18n/messages';
import { inUseError, type RowUse } from './inUseError';
import { RowErrors } from './rowErrors';
import { type OnProgress, requireWithinScope } from './rowWrites';
import { writeAuditEntries } from './writeAuditEntries';

export interface LockedRowsInput {
  services: Services;
  tx: Queries;
  entity: ModelEntity;
  caller: Caller;
  /** The rows, which must be locked. */
  rows: readonly ({ id: number } & Record<string, unknown>)[];
  onProgress?: OnProgress;
  /** Shared row errors, if these rows are one batch of a bulk request. */
  rowErrors?: RowErrors;
}

/** The shared row errors, or new ones for these rows alone. */
export const rowErrorsOf = ({
  entity,
  caller,
  rows,
  rowErrors = new RowErrors({ entity, caller, total: rows.length }),
}: LockedRowsInput): RowErrors => rowErrors;

/**
 * Soft-deletes rows with their dependent rows (`onDelete: 'cascade'`). All or nothing: row error 409 for a row that is
 * referenced by a row outside of the bin.
 */
export async function trashRows(input: LockedRowsInput): Promise<void> {
  if (await prepareTrash(input)) await storeTrash(input);
}

/**
 * First part of `trashRows`: checks the rows and records who deletes them, under the lock of an edit
 * (`isReferableWhileEdited`). Returns whether they may be deleted.
 */
export async function prepareTrash(input: LockedRowsInput): Promise<boolean> {
  const { services, tx, entity, caller, rows, onProgress } = input;
  const rowErrors = rowErrorsOf(input);
  for (const [index, current] of rows.entries()) {
    await rowErrors.attempt(current.id, async () =>
      entity.hooks.beforeDelete?.({ tx, caller, services, id: current.id, current }),
    );
    onProgress?.(index + 1, rows.length);
  }
  for (const [id, error] of await findReferencedRows(input)) rowErrors.add(id, error);
  if (await rowErrors.mustStop(tx)) return false;
  await writeAuditEntries(tx, { entity, by: caller, action: 'delete' }, rows.map(idOnly));
  return true;
}

/**
 * Last part of `trashRows`. A bulk request calls it once, at the end of its transaction, because from here on writers
 * that refer to the rows wait, such as the messages of a machine's device.
 */
export async function storeTrash(input: LockedRowsInput): Promise<void> {
  const { services, tx, entity, caller, rows } = input;
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  if (entity.hooks.isReferableWhileEdited) {
    await entity.hooks.lockBeforeTrash?.(tx, ids);
    await tx.rows(sql`select id from ${table(entity)} where id = any(${sql.param(ids)}::int[]) order by id for update`);
    const rowErrors = rowErrorsOf(input);
    for (const [id, error] of await findReferencedRows(input)) rowErrors.add(id, error);
    if (await rowErrors.mustStop(tx)) return;
  }
  await tx.rows(
    sql`update ${table(entity)} set deleted_at = now(), version = version + 1, updated_at = now()
      where id = any(${sql.param(ids)}::int[])`,
  );
  for (const { other, name } of referencesTo(services, entity, true)) {
    const dependents = await tx.select(
      { id: pg.integer },
      sql`update ${table(other)} m set deleted_at = now(), version = version + 1, updated_at = now()
        where ${column(sql.raw('m'), name)} = any(${sql.param(ids)}::int[]) and ${notDeleted(sql.raw('m'))}
        returning m.id`,
    );
    await writeAuditEntries(tx, { entity: other, by: caller, action: 'delete' }, dependents);
  }
  await entity.hooks.afterTrash?.({ tx, caller, services, rows });
}

/**
 * Restores rows with the dependent rows that were deleted along with them. Row error 409 if a row refers to one in the
 * bin, or if a unique value has been taken meanwhile.
 */
export async function restoreRows(input: LockedRowsInput): Promise<void> {
  const { services, tx, entity, caller, rows, onProgress } = input;
  const rowErrors = rowErrorsOf(input);
  const ids = rows.map(({ id }) => id);
  for (const [id, error] of await findDeletedReferences(input)) rowErrors.add(id, error);
  for (const [id, error] of await findTakenValues(input)) rowErrors.add(id, error);
  onProgress?.(rows.length, rows.length);
  if (await rowErrors.mustStop(tx)) return;
  for (const { other, name } of referencesTo(services, entity, true)) {
    const dependents = await tx.select(
      { id: pg.integer },
      sql`update ${table(other)} m set deleted_at = null, version = m.version + 1, updated_at = now()
        from ${table(entity)} restored
        where restored.id = any(${sql.param(ids)}::int[]) and ${column(sql.raw('m'), name)} = restored.id
        and m.deleted_at = restored.deleted_at returning m.id`,
    );
    await writeAuditEntries(tx, { entity: other, by: caller, action: 'restore' }, dependents);
  }
  await tx.rows(
    sql`update ${table(entity)} set deleted_at = null, version = version + 1, updated_at = now()
      where id = any(${sql.param(ids)}::int[])`,
  );
  await requireWithinScope(tx, entity, caller, ids);
  await writeAuditEntries(tx, { entity, by: caller, action: 'restore' }, rows.map(idOnly));
  await entity.hooks.afterTrash?.({ tx, caller, services, rows });
}

const idOnly = ({ id }: { id: number }) => ({ id });

/**
 * References of all entities to this one. A soft delete cascades to the rows of a cascading reference; any other
 * reference prevents it.
 */
export function referencesTo(
  { model }: Services,
  entity: ModelEntity,
  isCascading: boolean,
): { other: ModelEntity; name: string }[] {
  return model.entities.flatMap((other) =>
    Object.entries(other.fields)
      .filter(
        ([, field]) =>
          field.kind === 'ref' &&
          field.to === entity.name &&
          field.store !== 'derived' &&
          (field.onDelete === 'cascade') === isCascading,
      )
      .map(([name]) => ({ other, name })),
  );
}

/** Rows that are referenced, each with its 409 that names the uses. With `isPurge` soft-deleted uses count too. */
export async function findReferencedRows(
  { services, tx, entity, caller, rows }: LockedRowsInput,
  isPurge = false,
): Promise<[id: number, error: ApiError][]> {
  const ids = sql.param(rows.map(({ id }) => id));
  const m = sql.raw('m');
  const uses = new Map<number, RowUse[]>();
  /** Rows that are purged together may reference each other. */
  const remainsWhere = (other: ModelEntity) => (other === entity ? sql`m.id <> all(${ids}::int[])` : sql`true`);
  const countQueries = referencesTo(services, entity, false).map(async ({ other, name }) => {
    const counts = await tx.select(
      { id: pg.integer, n: pg.integer },
      sql`select ${column(m, name)} as id, count(*)::int as n from ${table(other)} m
        where ${column(m, name)} = any(${ids}::int[]) and ${isPurge ? remainsWhere(other) : notDeleted(m)}
        group by 1 order by 1`,
    );
    return counts.map(({ id, n }) => ({ id, use: { other, field: name, count: n } }));
  });
  for (const { id, use } of (await Promise.all(countQueries)).flat()) addToGroup(uses, id, use);
  return [...uses].map(([id, rowUses]) => [id, inUseError(caller.language, entity, rowUses, isPurge)]);
}

/** Rows that reference a deleted row, each with its 409 that names what has to be restored first. */
async function findDeletedReferences({
  services: { model },
  tx,
  entity,
  caller: { language },
  rows,
}: LockedRowsInput): Promise<[id: number, error: ApiError][]> {
  const ids = sql.param(rows.map(({ id }) => id));
  const [m, t, s] = [sql.raw('m'), sql.raw('t'), sql.raw('s')];
  const result: [number, ApiError][] = [];
  for (const [name, field] of Object.entries(entity.fields)) {
    if (field.kind !== 'ref' || field.store === 'derived') continue;
    const target = model.require(field.to as string);
    const state = hasState(target) ? sql` join ${stateTableSql(target)} s on s.id = t.id` : sql``;
    const deletedReferences = await tx.select(
      { id: pg.integer, title: pg.text },
      sql`select m.id, ${titleSql(target, { row: t, state: s, language })} as title from ${table(entity)} m
        join ${table(target)} t on t.id = ${column(m, name)}${state}
        where m.id = any(${ids}::int[]) and t.deleted_at is not null order by m.id`,
    );
    for (const { id, title } of deletedReferences)
      result.push([id, ApiError.conflict('restore_first', { name: nameOf(language, target), title })]);
  }
  return result;
}

/** Rows whose unique values other rows have taken meanwhile. */
async function findTakenValues({ tx, entity, rows }: LockedRowsInput): Promise<[id: number, error: ApiError][]> {
  const ids = sql.param(rows.map(({ id }) => id));
  const result: [number, ApiError][] = [];
  for (const [name, field] of Object.entries(entity.fields)) {
    if (!field.unique || (field.store ?? 'row') !== 'row') continue;
    const comparableValueSql = (row: string) =>
      field.kind === 'email' ? sql`lower(${column(sql.raw(row), name)})` : column(sql.raw(row), name);
    const conflictingRows = await tx.select(
      { id: pg.integer },
      sql`select m.id from ${table(entity)} m
      where m.id = any(${ids}::int[]) and exists (select 1 from ${table(entity)} o
      where ${comparableValueSql('o')} = ${comparableValueSql('m')} and ${notDeleted(sql.raw('o'))}) order by m.id`,
    );
    for (const { id } of conflictingRows) result.push([id, ApiError.taken(name, entity.name)]);
  }
  return result;
}
