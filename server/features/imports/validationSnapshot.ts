/** Validation snapshots, which reveal whether anything was written that earlier validation results depend on. */
import { sql } from 'drizzle-orm';
import { hasState } from '../../access/entityModel';
import type { EntityModel } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { writeCountExceptSql } from '../../db/core/writeCounts';
import type { ValidatedRow } from './importContext';
import { importBatchSize } from './importRows';
import type { ImportJob, ValidationSnapshot } from './job';

/** Tables that no rule reads, but that imports themselves, telemetry and log-ins write to. */
const unrelatedTables = ({ entities }: EntityModel): string[] => [
  'imports',
  'audit',
  'alerts',
  'alerts_machines',
  ...entities.filter(hasState).map(({ name }) => `${name}_state`),
];

/** Reads the snapshot; must be called before the first row is validated. */
export async function readValidationSnapshot(
  db: Queries,
  model: EntityModel,
  { user_id, requester_id, token_id }: ImportJob,
): Promise<ValidationSnapshot> {
  const counts = await db.selectOne(
    { writes: pg.double, day: pg.text },
    sql`select ${writeCountExceptSql(unrelatedTables(model))} as writes, to_char(now(), 'YYYY-MM-DD') as day`,
  );
  return { ...(counts as { writes: number; day: string }), requester_id: requester_id ?? user_id, token_id };
}

/**
 * Whether stored validation results still hold. Always false for imports that update rows, whose validation depends on
 * the locked row, and for those that create rows for missing names.
 */
export async function isValidationFresh(tx: Queries, model: EntityModel, job: ImportJob): Promise<boolean> {
  const { validation_snapshot: storedSnapshot, settings } = job;
  if (!storedSnapshot || (settings.create_missing ?? []).length > 0) return false;
  const currentSnapshot = await readValidationSnapshot(tx, model, job);
  if (
    (Object.keys(currentSnapshot) as (keyof ValidationSnapshot)[]).some(
      (key) => currentSnapshot[key] !== storedSnapshot[key],
    )
  )
    return false;
  return !(await tx.one(sql`select 1 from import_rows where import_id = ${job.id}::int and action = 'update' limit 1`));
}

/**
 * Makes the next commit validate every row again. Must be called when the stored results no longer come from one
 * complete dry run.
 */
export const invalidateValidation = (db: Queries, id: number) =>
  db.rows(sql`update import_jobs set validation_snapshot = null where import_id = ${id}::int`);

/** Returns the next validated rows after `row`, with only what the writing of new rows needs; the rest is empty. */
export async function readValidatedRows(
  tx: Queries,
  id: number,
  row: number,
  limit = importBatchSize,
): Promise<ValidatedRow[]> {
  const rows = await tx.select(
    {
      row: pg.integer,
      action: pg.text.as<ValidatedRow['action']>(),
      problems: pg.json<ValidatedRow['problems']>().nullable,
      changes: pg.json<ValidatedRow['changes']>().nullable,
    },
    sql`select row, action, problems, changes from import_rows where import_id = ${id}::int and row > ${row}::int
      order by row limit ${limit}::int`,
  );
  return rows.map((row) => ({
    ...row,
    problems: row.problems ?? [],
    changes: row.changes ?? {},
    cells: [],
    edited: null,
    key: null,
    current: undefined,
  }));
}
