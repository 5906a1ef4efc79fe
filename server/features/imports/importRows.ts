/** Reads and writes the rows of an import between the steps, in the table `import_rows`. */
import { sql } from 'drizzle-orm';
import type { RowAction } from '../../../schema/shared/imports';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { type CellProblem, type FileRow, fileRowShape, type ValidatedRow } from './importContext';
import type { StoredRow } from './writeRows';

export type RowActionCounts = Record<RowAction, number>;
export const zeroCounts = (): RowActionCounts => ({ create: 0, update: 0, unchanged: 0, error: 0 });

/** Rows per batch of a step. */
export const importBatchSize = 500;

/** Stores validated rows; replaces the results of rows with the same number. */
export async function stageRows(db: Queries, id: number, rows: readonly ValidatedRow[]): Promise<void> {
  const records = rows.map(({ row, cells, edited, action, key, problems, changes, current }) => ({
    row,
    cells,
    edited,
    action,
    row_id: current?.id ?? null,
    row_key: key,
    problems: problems.length > 0 ? problems : null,
    changes: action === 'error' || action === 'unchanged' ? null : changes,
  }));
  await db.rows(sql`
    insert into import_rows (import_id, row, cells, edited, action, row_id, row_key, problems, changes)
    select ${id}::int, x.row, x.cells, x.edited, x.action, x.row_id, x.row_key, x.problems, x.changes
    from jsonb_to_recordset(${JSON.stringify(records)}::text::jsonb) as x(row int,
    cells jsonb, edited jsonb, action text,
    row_id int, row_key text, problems jsonb, changes jsonb)
    on conflict (import_id, row) do update set edited = excluded.edited, action = excluded.action,
    row_id = excluded.row_id, row_key = excluded.row_key,
      problems = excluded.problems, changes = excluded.changes`);
}

/** Returns the next stored rows after `row`, as read from the file. */
export const readStagedRows = (db: Queries, id: number, row: number, limit = importBatchSize): Promise<FileRow[]> =>
  db.select(
    fileRowShape,
    sql`select row, cells, edited from import_rows where import_id = ${id}::int and row > ${row}::int order by row
      limit ${limit}::int`,
  );

/** Records which rows were created or updated, and their former values. */
export async function recordStoredRows(tx: Queries, id: number, rows: readonly StoredRow[]): Promise<void> {
  if (rows.length === 0) return;
  const records = rows.map(({ row, id: row_id, values, before, fingerprint }) => ({
    row,
    row_id,
    action: before ? 'update' : 'create',
    changes: values,
    before,
    fingerprint,
  }));
  await tx.rows(sql`
    update import_rows r set action = x.action, row_id = x.row_id, changes = x.changes, before = x.before,
    fingerprint = x.fingerprint, problems = null
    from jsonb_to_recordset(${JSON.stringify(records)}::text::jsonb) as x(row int,
    row_id int, action text, changes jsonb,
    before jsonb, fingerprint text)
    where r.import_id = ${id}::int and r.row = x.row`);
}

/** Records the result of rows that change nothing or have problems. */
export async function recordAction(
  db: Queries,
  id: number,
  rows: readonly { row: number; action: RowAction; problems: readonly CellProblem[] }[],
): Promise<void> {
  if (rows.length === 0) return;
  await db.rows(sql`
    update import_rows r set action = x.action, problems = x.problems, changes = null
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as x(row int, action text, problems jsonb)
    where r.import_id = ${id}::int and r.row = x.row and (r.action, coalesce(r.problems, '[]')) is distinct from
    (x.action, x.problems)`);
}

/** Counts the rows of an import by action. */
export async function readActionCounts(db: Queries, id: number): Promise<RowActionCounts> {
  const rows = await db.select(
    { action: pg.text.as<RowAction>(), count: pg.integer },
    sql`select action, count(*)::int as count from import_rows where import_id = ${id}::int group by action`,
  );
  return { ...zeroCounts(), ...Object.fromEntries(rows.map(({ action, count }) => [action, count])) };
}

/** Number of rows of the file; with `isWritten`, only of rows that the commit has written. */
export async function countImportRows(db: Queries, id: number, { isWritten = false } = {}): Promise<number> {
  const row = await db.selectOne(
    { count: pg.integer },
    sql`select count(*)::int as count from import_rows where import_id = ${id}::int
      and (fingerprint is not null or not ${isWritten}::boolean)`,
  );
  return row?.count ?? 0;
}
