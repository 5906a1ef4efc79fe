/** Reads stored rows before a write: locked, complete, within scope. */
import { type SQL, sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import { notDeleted, QueryContext, stateJoin, table } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { jsonSql } from '../query/fields';
import { columnsSql } from '../query/includeSql';

/** A stored row with all its fields but passwords. */
export type CurrentRow = Record<string, unknown> & { id: number; version: number };

/**
 * What rows are locked for. While they are locked for an `edit`, or for a deletion up to its last step, others may
 * still refer to them if the entity allows it (`isReferableWhileEdited`).
 */
export type LockPurpose = 'edit' | 'any change';

export interface LockOptions {
  /** Whether to lock soft-deleted rows instead. */
  isTrashed?: boolean;
  purpose?: LockPurpose;
}

/**
 * Locks the rows among `ids` that are within scope, and returns them in the order of ids. Locking in this order keeps
 * concurrent writers from deadlocking.
 */
export async function lockRows(
  tx: Queries,
  entity: ModelEntity,
  caller: Caller,
  { ids, isTrashed = false, purpose = 'any change' }: { ids: readonly number[] } & LockOptions,
): Promise<CurrentRow[]> {
  const fields = Object.entries(entity.fields).filter(
    ([, field]) => field.kind !== 'many' && field.kind !== 'password',
  );
  const deletedWhere = isTrashed ? sql`m.deleted_at is not null` : notDeleted(sql.raw('m'));
  const where = sql`m.id = any(${sql.param([...ids])}::int[]) and ${deletedWhere}`;
  return readStoredRows(tx, entity, caller, { names: fields.map(([name]) => name), where, lock: purpose });
}

/** Rows within scope with the named fields, ordered by id; `where` is a condition on the alias `m`. */
export async function readStoredRows(
  tx: Queries,
  entity: ModelEntity,
  caller: Caller,
  { names, where, lock }: { names: readonly string[]; where: SQL; lock?: LockPurpose },
): Promise<CurrentRow[]> {
  const m = sql.raw('m');
  const context = new QueryContext();
  const columns = columnsSql(
    names.map((name) => ({
      key: name,
      value: jsonSql({ entity, row: m, state: sql.raw('s'), caller, context }, name),
    })),
  );
  const state = names.some((name) => entity.fields[name]?.store) ? stateJoin(entity) : sql``;
  const rows = await tx.select(
    { row: pg.json<CurrentRow>() },
    sql`select (select row_to_json(r) from (select ${columns}) r) as row from ${table(entity)} m${state}
      where ${where} and ${scopeWhere(entity, caller, m, context)}
      order by m.id${lock ? lockSql(entity, lock) : sql``}`,
  );
  return rows.map(({ row }) => row);
}

const lockSql = (entity: ModelEntity, purpose: LockPurpose): SQL =>
  purpose === 'edit' && entity.hooks.isReferableWhileEdited ? sql` for no key update of m` : sql` for update of m`;

/** Locks one row. Throws 404 if it is not visible to the caller. */
export async function lockRow(
  tx: Queries,
  entity: ModelEntity,
  caller: Caller,
  { id, ...options }: { id: number } & LockOptions,
): Promise<CurrentRow> {
  const [row] = await lockRows(tx, entity, caller, { ids: [id], ...options });
  if (!row) throw ApiError.notFound();
  return row;
}

/** Whether a sent value equals the stored one. Compares money by amount, instants by time, ids in any order. */
export function isSameValue(field: Field, value: unknown, storedValue: unknown): boolean {
  if (value === null || storedValue === null || value === undefined) return value === storedValue;
  if (field.kind === 'money') return Number(value) === Number(storedValue);
  if (field.kind === 'instant') return Date.parse(String(value)) === Date.parse(String(storedValue));
  if (field.kind === 'refs' && Array.isArray(value))
    return JSON.stringify([...value].sort((a, b) => a - b)) === JSON.stringify(storedValue);
  return typeof value === 'object' ? JSON.stringify(value) === JSON.stringify(storedValue) : value === storedValue;
}
