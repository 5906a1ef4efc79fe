/** Writes the next batch of import rows inside a transaction, and what follows the last batch. */
import { sql } from 'drizzle-orm';
import { ApiError } from '../../context/errors';
import type { Services } from '../../context/services';
import { ForeignKeyViolation, type Queries, UniqueViolation } from '../../db/core/database';
import { fieldOfKey } from '../../db/core/names';
import { headingsHash, type ImportStepContext } from './dryRun';
import type { CellProblem, ImportContext, ValidatedRow } from './importContext';
import { recordAction, recordStoredRows } from './importRows';
import { rowProblemsOf } from './validateRows';
import { type StoredRow, writeRows } from './writeRows';

/** Thrown if rows have problems and the import must be written as a whole. */
export class InvalidRows extends Error {
  constructor(readonly rows: readonly ValidatedRow[]) {
    super('Rows of the file are wrong.');
  }
}

/** Maximum rows with an event each; for more rows, pages reload their lists when the import is done. */
export const maxRowEvents = 1000;

/**
 * Writes validated rows and records their results.
 * @throws InvalidRows for a row with problems, if the import must be written as a whole
 */
export async function writeBatch(
  context: ImportContext,
  tx: Queries,
  { id, rows }: { id: number; rows: readonly ValidatedRow[] },
) {
  const { storedRows, otherRows } = await writeValidRows(context, tx, rows);
  const invalidRows = otherRows.filter(({ action }) => action === 'error');
  if (invalidRows.length > 0 && context.settings.rows === 'all') throw new InvalidRows(invalidRows);
  await recordStoredRows(tx, id, storedRows);
  await recordAction(tx, id, otherRows);
  return { storedRows, otherRows };
}

/** Writes the valid rows. If the batch fails, tries each row on its own to find out which one failed. */
async function writeValidRows(
  context: ImportContext,
  tx: Queries,
  validatedRows: readonly ValidatedRow[],
): Promise<{ storedRows: StoredRow[]; otherRows: ValidatedRow[] }> {
  const validRows = validatedRows.filter(({ action }) => action === 'create' || action === 'update');
  const otherRows = validatedRows.filter((row) => !validRows.includes(row));
  if (validRows.length === 0) return { storedRows: [], otherRows };
  const results = await tryWrite(context, tx, validRows);
  if (Array.isArray(results)) return { storedRows: results, otherRows };
  const storedRows: StoredRow[] = [];
  for (const row of validRows) {
    const result = await tryWrite(context, tx, [row]);
    if (Array.isArray(result)) storedRows.push(...result);
    else
      otherRows.push({
        ...row,
        action: 'error',
        problems: result.problems.map((problem) => withColumn(context, problem)),
      });
  }
  return { storedRows, otherRows };
}

const withColumn = ({ mappings }: ImportContext, problem: CellProblem): CellProblem => ({
  ...problem,
  column: mappings.find(({ field }) => field === problem.field)?.index ?? null,
});

/**
 * Returns the stored rows. If a rule or the database rejects them, returns the problems, and nothing remains written.
 */
async function tryWrite(
  context: ImportContext,
  tx: Queries,
  rows: readonly ValidatedRow[],
): Promise<StoredRow[] | { problems: CellProblem[] }> {
  await tx.rows(sql`savepoint of_import`);
  try {
    const storedRows = await writeRows(context, tx, rows);
    await tx.rows(sql`release savepoint of_import`);
    return storedRows;
  } catch (error) {
    const problems = rejectionProblems(context, error);
    if (!problems) throw error;
    await tx.rows(sql`rollback to savepoint of_import`);
    return { problems };
  }
}

function rejectionProblems({ entity }: ImportContext, error: unknown): CellProblem[] | undefined {
  if (error instanceof ApiError) return rowProblemsOf(error);
  if (error instanceof ForeignKeyViolation) return [{ column: null, problem: { text: 'conflict' } }];
  if (!(error instanceof UniqueViolation)) return undefined;
  const field = fieldOfKey(entity, error.constraint);
  return [{ column: null, ...(field && { field }), problem: field ? { key: 'taken' } : { text: 'conflict' } }];
}

/** Runs the hooks `afterCommit` and publishes events, as after saving a form. */
export async function publishWritten(
  services: Services,
  { entity, caller }: Pick<ImportContext, 'entity' | 'caller'>,
  storedRows: readonly Pick<StoredRow, 'id' | 'values' | 'before'>[],
): Promise<void> {
  const { afterCommit } = entity.hooks;
  for (const { id, values, before } of afterCommit ? storedRows : [])
    await afterCommit?.({ caller, services, id, action: before ? 'edit' : 'create', values }).catch((err: unknown) =>
      services.log.warn({ err }, 'the `afterCommit` hook of an imported row failed'),
    );
  const events = storedRows
    .slice(0, maxRowEvents)
    .map(({ id, before }) => ({ entity: entity.name, id, type: before ? ('updated' as const) : ('created' as const) }));
  void services.live
    .publish(events)
    .catch((err: unknown) => services.log.warn({ err }, 'publishing events of an import failed'));
}

/** Stores the mapping for the next file with these headings. */
export async function storeMapping(
  tx: Queries,
  { user_id, resource, columns, settings: { fixed, words } }: ImportStepContext['job'],
): Promise<void> {
  if (!columns) return;
  const mapping = Object.fromEntries(
    columns
      .filter(({ left_out }) => left_out === undefined || left_out === 'chosen')
      .map(({ key, target }) => [key, target]),
  );
  await tx.rows(sql`
    insert into import_mappings (user_id, resource, headings_hash, mapping, settings)
    values (${user_id}::int, ${resource}, ${headingsHash(columns.map(({ head }) => head))},
      ${JSON.stringify(mapping)}::text::jsonb, ${JSON.stringify({ fixed, words })}::text::jsonb)
    on conflict (user_id, resource, headings_hash) do update
    set mapping = excluded.mapping, settings = excluded.settings, used_at = now()`);
}
