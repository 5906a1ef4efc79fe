/**
 * Undoes an import: deletes the rows that it created and restores those that it changed. Never overwrites later
 * changes. Uses one transaction on a PostgreSQL server, and pieces on the embedded database (`undoInPieces.ts`).
 */
import { sql } from 'drizzle-orm';
import { notDeleted } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import type { LiveEvent } from '../../context/eventBus';
import type { ModelEntity } from '../../context/services';
import { type CurrentRow, isSameValue, lockRows, readStoredRows } from '../../crud/write/lockRows';
import { prepareTrash, storeTrash } from '../../crud/write/trashRows';
import { validateDraft } from '../../crud/write/validateDraft';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import type { ImportStepContext } from './dryRun';
import { ImportContext, type ValidatedRow } from './importContext';
import { countImportRows, importBatchSize } from './importRows';
import { entityOf, type ImportJob, setImportState } from './job';
import { memoizeQueries } from './memoizeQueries';
import { readFingerprints, writeRows } from './writeRows';

/** Thrown if rows have changed since the import. */
export class UndoConflict extends Error {
  constructor(readonly rows: readonly number[]) {
    super('Rows have changed since.');
  }
}

export const writtenRowShape = {
  row: pg.integer,
  row_id: pg.integer,
  action: pg.text.as<'create' | 'update'>(),
  changes: pg.json<Record<string, unknown>>(),
  before: pg.json<Record<string, unknown>>().nullable,
  fingerprint: pg.text,
};
export type WrittenRow = RowOf<typeof writtenRowShape>;

const readWrittenRowsAfter = (db: Queries, id: number, row: number): Promise<WrittenRow[]> =>
  db.select(
    writtenRowShape,
    sql`
    select row, row_id, action, changes, before, fingerprint from import_rows
    where import_id = ${id}::int and action in ('create', 'update') and fingerprint is not null and row > ${row}::int
    order by row limit ${importBatchSize}::int`,
  );

/** Returns the import rows whose entity row has changed, was deleted, or is not visible to the importer. */
export async function findChangedRows(
  db: Queries,
  { entity, caller }: { entity: ModelEntity; caller: Caller },
  writtenRows: readonly WrittenRow[],
): Promise<number[]> {
  const ids = writtenRows.map(({ row_id }) => row_id);
  const fingerprints = await readFingerprints({ entity }, db, ids);
  const links = Object.keys(entity.fields).filter((name) => entity.fields[name]?.kind === 'refs');
  const rows = await readStoredRows(db, entity, caller, {
    names: ['id', ...links],
    where: sql`m.id = any(${sql.param(ids)}::int[]) and ${notDeleted(sql.raw('m'))}`,
  });
  const visibleRows = new Map(rows.map((row) => [row.id, row]));
  return writtenRows
    .filter(
      ({ row_id, fingerprint, changes }) =>
        fingerprints.get(row_id) !== fingerprint || !hasWrittenLinks(entity, changes, visibleRows.get(row_id)),
    )
    .map(({ row }) => row);
}

const hasWrittenLinks = (entity: ModelEntity, changes: Record<string, unknown>, row: CurrentRow | undefined): boolean =>
  row !== undefined &&
  Object.entries(changes).every(([name, value]) => {
    const field = entity.fields[name];
    return field?.kind !== 'refs' || isSameValue(field, value, row[name]);
  });

/** Returns the rows of an import whose entity row has changed since the import. Stops after a thousand or so. */
export async function findRowsChangedSince(
  db: Queries,
  context: { entity: ModelEntity; caller: Caller },
  { id }: Pick<ImportJob, 'id'>,
): Promise<number[]> {
  const changedRows: number[] = [];
  for (let lastRow = 0; changedRows.length < 1000; ) {
    const rows = await readWrittenRowsAfter(db, id, lastRow);
    if (rows.length === 0) break;
    changedRows.push(...(await findChangedRows(db, context, rows)));
    lastRow = rows.at(-1)?.row ?? lastRow;
  }
  return changedRows;
}

/** Restores former values by the rules of any other edit. Rows that change the same columns share a statement. */
async function restoreValues(
  context: ImportContext,
  tx: Queries,
  rows: readonly WrittenRow[],
  rowsById: ReadonlyMap<number, CurrentRow>,
): Promise<void> {
  const { services, entity, caller } = context;
  const memoizedDb = memoizeQueries(tx);
  const updates: ValidatedRow[] = [];
  for (const { row, row_id, before } of rows) {
    const current = rowsById.get(row_id);
    if (!before || !current) continue;
    const changes = await validateDraft({
      services,
      tx: memoizedDb,
      entity,
      caller,
      body: { values: before, images: new Map() },
      current,
    });
    if (Object.keys(changes).length > 0)
      updates.push({ row, cells: [], edited: null, key: null, problems: [], action: 'update', changes, current });
  }
  await writeRows(context, tx, updates);
}

/** Restores the rows that the import updated; all must be locked. Returns those that it created, to be deleted. */
export async function restoreUpdatedRows(
  context: ImportContext,
  tx: Queries,
  rows: readonly WrittenRow[],
  storedRows: readonly CurrentRow[],
): Promise<CurrentRow[]> {
  const rowsById = new Map(storedRows.map((row) => [row.id, row]));
  await restoreValues(context, tx, rows, rowsById);
  return rows.flatMap(({ row_id, before }) => (before ? [] : (rowsById.get(row_id) ?? [])));
}

/**
 * Undoes an import on a PostgreSQL server in one transaction, with the importer's current access.
 * @throws UndoConflict; ApiError if a rule forbids the undo
 */
export async function undoAtOnce({
  services,
  job,
  caller,
  reportProgress,
  transaction,
}: ImportStepContext): Promise<void> {
  const { db } = services;
  const entity = entityOf(services, job);
  const total = await countImportRows(db, job.id, { isWritten: true });
  let rowsToPublish: WrittenRow[] = [];
  const context = new ImportContext(services, entity, caller, job.settings, []);
  await transaction(async (tx) => {
    rowsToPublish = [];
    const createdRows: CurrentRow[] = [];
    let undoneCount = 0;
    for (let lastRow = 0; ; ) {
      const rows = await readWrittenRowsAfter(tx, job.id, lastRow);
      if (rows.length === 0) break;
      const ids = rows.map(({ row_id }) => row_id);
      const storedRows = await lockRows(tx, entity, caller, { ids, purpose: 'edit' });
      const changedRows = await findChangedRows(tx, { entity, caller }, rows);
      if (changedRows.length > 0) throw new UndoConflict(changedRows);
      const batchCreatedRows = await restoreUpdatedRows(context, tx, rows, storedRows);
      if (await prepareTrash({ services, tx, entity, caller, rows: batchCreatedRows }))
        createdRows.push(...batchCreatedRows);
      rowsToPublish.push(...rows.slice(0, maxPublished - rowsToPublish.length));
      lastRow = rows.at(-1)?.row ?? lastRow;
      undoneCount += rows.length;
      reportProgress(undoneCount / total);
    }
    await storeTrash({ services, tx, entity, caller, rows: createdRows });
    await setImportState(tx, job.id, { state: 'undone' });
  });
  publishUndone(services, entity, rowsToPublish);
}

/** Maximum rows for which the undo of an import publishes events. */
export const maxPublished = 1000;

/** Publishes that the rows that the import created are deleted, and that the others are updated. */
export function publishUndone(
  { live, log }: ImportStepContext['services'],
  { name: entity }: ModelEntity,
  rows: readonly WrittenRow[],
): void {
  const events = rows.map(
    ({ row_id: id, before }): LiveEvent => ({ entity, id, type: before ? 'updated' : 'deleted' }),
  );
  void live.publish(events).catch((err: unknown) => log.warn({ err }, 'publishing events of an undone import failed'));
}
