/** An import as its steps read it: settings, facts about the file, state. */
import { sql } from 'drizzle-orm';
import type { ImportFacts, ImportSettings, ImportState } from '../../../schema/shared/imports';
import type { MessageRef } from '../../context/errors';
import type { ModelEntity, Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import type { RowActionCounts } from './importRows';
import type { StoredColumn } from './parseCell';

export const jobShape = {
  id: pg.integer,
  user_id: pg.integer,
  /** User who requested the current step; null if that is the importer. */
  requester_id: pg.integer.nullable,
  token_id: pg.integer.nullable,
  resource: pg.text,
  state: pg.text.as<ImportState>(),
  settings: pg.json<ImportSettings>(),
  commits: pg.boolean,
  facts: pg.json<ImportFacts>().nullable,
  columns: pg.json<StoredColumn[]>().nullable,
  missing: pg.json<Record<string, string[]>>().nullable,
  validation_snapshot: pg.json<ValidationSnapshot>().nullable,
  problem: pg.json<ImportProblem>().nullable,
};
export type ImportJob = RowOf<typeof jobShape>;

/** Why an import ended. `also` is an additional remark. */
export type ImportProblem = MessageRef & { also?: MessageRef };

/** What validation results depend on: stored data, requester, and day. */
export interface ValidationSnapshot {
  writes: number;
  day: string;
  requester_id: number | null;
  token_id: number | null;
}

/** Reads an import; `undefined` if it was deleted. */
export async function readImportJob(db: Queries, id: number): Promise<ImportJob | undefined> {
  return db.selectOne(
    jobShape,
    sql`select i.id, i.user_id, j.requester_id, j.token_id, i.resource, i.state, j.settings, j.commits, j.facts,
      j.columns, j.missing, j.validation_snapshot, j.problem
      from imports i join import_jobs j on j.import_id = i.id where i.id = ${id}::int and i.deleted_at is null`,
  );
}

export const entityOf = ({ model }: Pick<Services, 'model'>, { resource }: Pick<ImportJob, 'resource'>): ModelEntity =>
  model.require(resource);

/** Name of an import's file in the table `files`. */
export const importFileName = (id: number): string => `imports/${id}`;

/** Changes the state of an import, and its counts and problem where given, in one statement. */
export async function setImportState(
  db: Queries,
  id: number,
  { state, counts, problem }: { state: ImportState; counts?: RowActionCounts; problem?: ImportProblem | null },
): Promise<void> {
  const isFinished = ['done', 'failed', 'cancelled', 'undone'].includes(state);
  const countsSql = counts
    ? sql`, create_count = ${counts.create}::int, update_count = ${counts.update}::int,
      unchanged_count = ${counts.unchanged}::int, error_count = ${counts.error}::int,
        row_count = ${counts.create + counts.update + counts.unchanged + counts.error}::int`
    : sql``;
  const problemSql =
    problem === undefined
      ? sql``
      : sql`with problem_update as (update import_jobs
        set problem = ${problem === null ? null : JSON.stringify(problem)}::text::jsonb where import_id = ${id}::int) `;
  await db.rows(
    sql`${problemSql}update imports set state = ${state}${countsSql}${isFinished ? sql`, finished_at = now()` : sql``}
      where id = ${id}::int`,
  );
}

/** Whether a failed or cancelled commit is being undone. A person can request the undo of finished imports only. */
export const isAbandoned = ({ state, commits }: Pick<ImportJob, 'state' | 'commits'>): boolean =>
  state === 'undoing' && !commits;
