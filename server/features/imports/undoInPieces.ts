/**
 * Undoes an import on the embedded database in short transactions, from the last row to the first, so that the rows
 * that are still written always form a prefix.
 */
import { sql } from 'drizzle-orm';
import { ApiError } from '../../context/errors';
import { lockRows } from '../../crud/write/lockRows';
import { trashRows } from '../../crud/write/trashRows';
import { ForeignKeyViolation, type Queries, UniqueViolation } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import type { ImportStepContext } from './dryRun';
import { type CellProblem, type CreatedRow, ImportContext } from './importContext';
import { countImportRows } from './importRows';
import { inShortTransactions } from './inShortTransactions';
import { entityOf, isAbandoned } from './job';
import {
  findChangedRows,
  maxPublished,
  publishUndone,
  restoreUpdatedRows,
  type WrittenRow,
  writtenRowShape,
} from './undo';
import { rowProblemsOf } from './validateRows';

const changedRowProblems: CellProblem[] = [{ column: null, problem: { text: 'import_row_changed' } }];

interface Progress {
  rowsDone: number;
  /** The next piece ends before this row of the file. */
  before: number;
  /** Number of rows to undo one by one, because undoing them together failed. */
  singleRows: number;
  /** Number of rows that could not be undone. */
  remainingCount: number;
}

/**
 * Undoes an import, and returns the number of rows that stay because they have been changed or used since. Records the
 * reason for each of them (`import_rows.problems`).
 */
export async function undoInPieces({
  services,
  job,
  caller,
  reportProgress,
  transaction,
  recordProgress,
}: ImportStepContext): Promise<number> {
  const { db } = services;
  const entity = entityOf(services, job);
  const context = new ImportContext(services, entity, caller, job.settings, []);
  const total = await countImportRows(db, job.id, { isWritten: true });
  let remainingCount = 0;
  const rowsToPublish: WrittenRow[] = [];
  await inShortTransactions<Progress>(
    transaction,
    { rowsDone: 0, before: afterLastRow, singleRows: 0, remainingCount: 0 },
    async (tx, state, limit) => {
      const rows = await readLastWritten(tx, { id: job.id, before: state.before }, state.singleRows > 0 ? 1 : limit);
      remainingCount = state.remainingCount;
      if (rows.length === 0) return undefined;
      const storedRows = await lockRows(tx, entity, caller, { ids: rows.map(({ row_id }) => row_id) });
      const changedRows = new Set(await findChangedRows(tx, { entity, caller }, rows));
      const unchangedRows = rows.filter(({ row }) => !changedRows.has(row));
      const undoPiece = async () => {
        const createdRows = await restoreUpdatedRows(context, tx, unchangedRows, storedRows);
        if (createdRows.length > 0) await trashRows({ services, tx, entity, caller, rows: createdRows });
      };
      const problems = await tryUndo(tx, undoPiece, !isAbandoned(job));
      if (problems && unchangedRows.length > 1) return { ...state, singleRows: rows.length };
      await recordRemaining(
        tx,
        job.id,
        rows
          .filter(({ row }) => problems || changedRows.has(row))
          .map(({ row }) => ({ row, problems: changedRows.has(row) ? changedRowProblems : (problems ?? []) })),
      );
      if (!problems) await recordUndone(tx, job.id, unchangedRows);
      await recordProgress(tx);
      if (!problems) rowsToPublish.push(...unchangedRows.slice(0, maxPublished - rowsToPublish.length));
      const rowsDone = state.rowsDone + rows.length;
      reportProgress(Math.min(1, rowsDone / total));
      const before = rows.at(-1)?.row ?? state.before;
      return {
        rowsDone,
        before,
        singleRows: Math.max(0, state.singleRows - rows.length),
        remainingCount: state.remainingCount + changedRows.size + (problems ? unchangedRows.length : 0),
      };
    },
  );
  publishUndone(services, entity, rowsToPublish);
  return remainingCount;
}

/** A number greater than that of any row. */
const afterLastRow = 2_147_483_647;

/**
 * Returns the last written rows before `before`, the latest first. Rows from `before` on are finished; scanning them
 * again would take longer with every piece.
 */
const readLastWritten = (
  db: Queries,
  { id, before }: { id: number; before: number },
  limit: number,
): Promise<WrittenRow[]> =>
  db.select(
    writtenRowShape,
    sql`
    select row, row_id, action, changes, before, fingerprint from import_rows
    where import_id = ${id}::int and action in ('create', 'update') and fingerprint is not null and row < ${before}::int
    order by row desc limit ${limit}::int`,
  );

/** Tries to undo rows. If a rule or the database rejects the undo, returns the problems and changes nothing. */
async function tryUndo(
  tx: Queries,
  run: () => Promise<void>,
  isUserRequest = false,
): Promise<CellProblem[] | undefined> {
  await tx.rows(sql`savepoint of_import`);
  try {
    await run();
    await tx.rows(sql`release savepoint of_import`);
    return undefined;
  } catch (error) {
    // The same happens on a PostgreSQL server: a rule that rejects a user's own undo ends it, whereas an abandoned
    // commit is undone as far as possible.
    if (isUserRequest && error instanceof ApiError) throw error;
    if (!(error instanceof ApiError || error instanceof ForeignKeyViolation || error instanceof UniqueViolation))
      throw error;
    await tx.rows(sql`rollback to savepoint of_import`);
    return error instanceof ApiError ? rowProblemsOf(error) : [{ column: null, problem: { text: 'conflict' } }];
  }
}

/** Marks rows of the import as undone. */
const recordUndone = (tx: Queries, id: number, rows: readonly WrittenRow[]) =>
  tx.rows(sql`
    update import_rows
    set fingerprint = null, before = null, row_id = case when before is null then null else row_id end
    where import_id = ${id}::int and row = any(${sql.param(rows.map(({ row }) => row))}::int[])`);

/** Stores the reasons why rows could not be undone. */
const recordRemaining = (tx: Queries, id: number, rows: readonly { row: number; problems: CellProblem[] }[]) =>
  tx.rows(sql`
    update import_rows r set action = 'error', problems = x.problems, fingerprint = null, before = null, changes = null
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as x(row int, problems jsonb)
    where r.import_id = ${id}::int and r.row = x.row`);

/**
 * Soft-deletes rows that the commit created for missing names, unless they are in use by now. Returns the number of
 * rows that stay.
 */
export async function removeCreatedRows({ services, job, caller, transaction }: ImportStepContext): Promise<number> {
  const { db } = services;
  const createdRows =
    (
      await db.selectOne(
        { created_rows: pg.json<CreatedRow[]>() },
        sql`select created_rows from import_jobs where import_id = ${job.id}::int`,
      )
    )?.created_rows ?? [];
  let remainingCount = 0;
  for (const { entity: name, id } of createdRows.toReversed()) {
    const entity = services.model.require(name);
    await transaction(async (tx) => {
      const rows = await lockRows(tx, entity, caller, { ids: [id] });
      const problems = await tryUndo(tx, () => trashRows({ services, tx, entity, caller, rows }));
      if (problems) remainingCount += 1;
    });
  }
  await transaction((tx) => tx.rows(sql`update import_jobs set created_rows = '[]' where import_id = ${job.id}::int`));
  return remainingCount;
}
