/** Corrects cells of a row before the commit. */

import { sql } from 'drizzle-orm';
import { isObject } from '../../../schema/dsl/isObject';
import { isStorable } from '../../../schema/dsl/isStorable';
import type { ImportRowResult } from '../../../schema/endpoints/imports';
import { importLimits } from '../../../schema/shared/imports';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { type FileRow, fileRowShape, ImportContext, type ValidatedRow } from './importContext';
import { loadImporter } from './importer';
import { rowResponse } from './importResponses';
import { readActionCounts, stageRows } from './importRows';
import { entityOf, type ImportJob, setImportState } from './job';
import { validateRows } from './validateRows';
import { invalidateValidation } from './validationSnapshot';

/**
 * Validates a row with corrected cells, together with rows of the same key. Returns the row in the form of the API.
 * Throws 409 if the state of the import has changed since `job` was read.
 */
export async function editRow(
  services: Services,
  tx: Queries,
  { job, reader }: { job: ImportJob; reader: Caller },
  { row, cells }: { row: number; cells: unknown },
): Promise<ImportRowResult> {
  // The lock lasts until the edit is stored, so that no commit reads the row before, or is overwritten afterwards.
  const lockedImport = await tx.one(
    sql`select 1 from imports where id = ${job.id}::int and state = ${job.state} for no key update`,
  );
  if (!lockedImport) throw ApiError.conflict('import_not_now');
  const importer = await loadImporter(tx, {
    user_id: job.user_id,
    requester_id: reader.userId,
    token_id: reader.tokenId ?? null,
  });
  if (!importer?.permissions.has(`${job.resource}.import`)) throw ApiError.forbidden();
  const entity = entityOf(services, job);
  const fileRow = await tx.selectOne(
    { ...fileRowShape, row_key: pg.text.nullable },
    sql`select row, cells, edited, row_key from import_rows where import_id = ${job.id}::int and row = ${row}::int`,
  );
  if (!fileRow) throw ApiError.notFound();
  const edits = { ...fileRow.edited, ...parseEdits(job, cells) };
  const validate = (rows: readonly FileRow[]) =>
    validateRows(new ImportContext(services, entity, importer, job.settings, job.columns ?? []), tx, rows);
  const [editedRow] = (await validate([{ ...fileRow, edited: edits }])) as [ValidatedRow];
  const keys = [fileRow.row_key, editedRow.key].filter((key): key is string => key !== null);
  const sameKeyRows = await tx.select(
    fileRowShape,
    sql`select row, cells, edited from import_rows where import_id = ${job.id}::int and row <> ${row}::int
      and row_key = any(${sql.param(keys)}::text[]) limit 1000`,
  );
  const validatedRows = await validate([...sameKeyRows, { ...fileRow, edited: edits }].sort((a, b) => a.row - b.row));
  await stageRows(tx, job.id, validatedRows);
  await invalidateValidation(tx, job.id);
  await setImportState(tx, job.id, { state: 'checked', counts: await readActionCounts(tx, job.id), problem: null });
  const validatedRow = validatedRows.find((candidate) => candidate.row === row) as ValidatedRow;
  return rowResponse(reader, job, { ...validatedRow, row_id: validatedRow.current?.id ?? null }, entity);
}

/** Returns the edits by column index. `cells` is keyed by column, as in the response with rows. */
function parseEdits({ columns }: ImportJob, cells: unknown): Record<string, string> {
  if (!isObject(cells)) throw ApiError.invalidAt('cells', { key: 'object' }, 'imports');
  return Object.fromEntries(
    Object.entries(cells).map(([key, value]) => {
      const column = columns?.find((candidate) => candidate.key === key);
      if (!column) throw ApiError.invalidAt(`cells.${key}`, { key: 'unknown' }, 'imports');
      if (typeof value !== 'string' || value.length > importLimits.cell || !isStorable(value))
        throw ApiError.invalidAt(`cells.${key}`, { key: 'text' }, 'imports');
      return [String(column.index), value];
    }),
  );
}
