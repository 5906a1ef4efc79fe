/** Purges soft-deleted rows, inside a transaction, with the rows that belong to them and their files. */
import { type SQL, sql } from 'drizzle-orm';
import { namedRoles } from '../../../schema/shared/roles';
import { column, table } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { lockRows } from './lockRows';
import { findReferencedRows, type LockedRowsInput, referencesTo, rowErrorsOf } from './trashRows';
import { writeAuditEntries } from './writeAuditEntries';

/** Throws 403 unless the caller is an Admin, because purging cannot be undone. */
export function requirePurgePermission({ roles }: Caller): void {
  if (!roles.some(({ name }) => name === namedRoles.admin.name)) throw ApiError.forbidden();
}

/**
 * Purges rows. Row error 409 for a row that remaining rows reference, soft-deleted or not. Does not await its last
 * statements, which share a pipeline with the next ones of the transaction or with the commit. The commit reports their
 * failure.
 */
export async function purgeRows(input: LockedRowsInput): Promise<void> {
  const { services, tx, entity, caller, rows, onProgress } = input;
  const rowErrors = rowErrorsOf(input);
  const ids = rows.map(({ id }) => id);
  const referenceWhere = (name: string) => sql`${column(sql.raw('m'), name)} = any(${sql.param(ids)}::int[])`;
  const dependents = await Promise.all(
    referencesTo(services, entity, true).map(async ({ other, name }) => ({
      other,
      rows: await tx.select({ id: pg.integer }, sql`select m.id from ${table(other)} m where ${referenceWhere(name)}`),
    })),
  );
  for (const { other, rows: references } of dependents) {
    if (references.length === 0) continue;
    const dependentRows = await lockRows(tx, other, caller, { ids: references.map(({ id }) => id), isTrashed: true });
    await purgeRows({ services, tx, entity: other, caller, rows: dependentRows });
  }
  for (const [id, error] of await findReferencedRows({ services, tx, entity, caller, rows }, true))
    rowErrors.add(id, error);
  onProgress?.(rows.length, rows.length);
  if (await rowErrors.mustStop(tx)) return;
  // Sent, and so executed, in this order on one connection, because an audit entry reads the title of its row. Images
  // stay, because other rows may share them; retention deletes images without a reference later.
  const writes = Promise.all([
    writeAuditEntries(
      tx,
      { entity, by: caller, action: 'remove' },
      rows.map((row) => ({ id: row.id, before: auditedValues(entity, row) })),
    ),
    ...purgedWithSql(entity, ids).map((statement) => tx.rows(statement)),
    tx.rows(sql`delete from ${table(entity)} where id = any(${sql.param(ids)}::int[])`),
    tx.rows(sql`delete from files where name = any(${ids.map((id) => `${entity.name}/${id}`)}::text[])`),
  ]);
  writes.catch(() => undefined);
}

/**
 * Statement that deletes the rows of `purgedWith`, if any. The subselect hides the ids from the planner, so that one
 * plan serves any number of them.
 */
function purgedWithSql({ hooks: { purgedWith } }: ModelEntity, ids: readonly number[]): SQL[] {
  if (!purgedWith) return [];
  const where = sql`${sql.identifier(purgedWith.column)} = any((select ${sql.param([...ids])}::int[])::int[])`;
  const deletions = purgedWith.tables.map(
    (name) => sql`${sql.identifier(`of_${name}`)} as (delete from ${sql.identifier(name)} where ${where})`,
  );
  return [sql`with ${sql.join(deletions, sql`, `)} select`];
}

/** The row's own values, without derived figures and states. */
const auditedValues = (entity: ModelEntity, row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([name]) => (entity.fields[name]?.store ?? 'row') === 'row' || entity.fields[name]?.kind === 'records',
    ),
  );
