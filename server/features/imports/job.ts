/** The state of one import in the database: its settings, what was found out, how far it is. */
import { sql } from 'drizzle-orm';
import type { ImportColumn, ImportFacts, ImportSettings, ImportState } from '../../../schema/shared/imports';
import type { MessageRef } from '../../context/errors';
import type { ModelEntity, Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import type { RowActionCounts } from './importRows';
import type { ColumnFormat } from './values';

export interface Job {
  id: number;
  user_id: number;
  /** Who asked for the step that is worked on: the importer when nobody is named. */
  asked_by: number | null;
  token_id: number | null;
  resource: string;
  state: ImportState;
  settings: ImportSettings;
  commits: boolean;
  facts: ImportFacts | null;
  columns: (ImportColumn & { manner?: ColumnFormat })[] | null;
  missing: Record<string, string[]> | null;
  judged: ValidationSnapshot | null;
  problem: ImportProblem | null;
}

/** Why an import ended; `also`: what else is to be said of its end. */
export type ImportProblem = MessageRef & { also?: MessageRef };

/** What judgements of rows rest on: what is stored, who asks, and the day. */
export interface ValidationSnapshot {
  writes: number;
  day: string;
  asked_by: number | null;
  token_id: number | null;
}

export async function jobOf(db: Queries, id: number): Promise<Job | undefined> {
  return db.one<Job>(
    sql`select i.id, i.user_id, j.asked_by, j.token_id, i.resource, i.state, j.settings, j.commits, j.facts, j.columns,
      j.missing, j.judged, j.problem
      from imports i join import_jobs j on j.import_id = i.id where i.id = ${id}::int and i.deleted_at is null`,
  );
}

export const entityOf = ({ model }: Pick<Services, 'model'>, { resource }: Pick<Job, 'resource'>): ModelEntity =>
  model.require(resource);

/** Where the file of an import lies among the files. */
export const importFileName = (id: number): string => `imports/${id}`;

/** Moves an import on, by one statement: whoever reads that it failed reads why. */
export async function setState(
  db: Queries,
  id: number,
  { state, counts, problem }: { state: ImportState; counts?: RowActionCounts; problem?: ImportProblem | null },
): Promise<void> {
  const rests = ['done', 'failed', 'cancelled', 'undone'].includes(state);
  const counted = counts
    ? sql`, create_count = ${counts.create}::int, update_count = ${counts.update}::int,
      unchanged_count = ${counts.unchanged}::int, error_count = ${counts.error}::int,
        row_count = ${counts.create + counts.update + counts.unchanged + counts.error}::int`
    : sql``;
  const said =
    problem === undefined
      ? sql``
      : sql`with said as (update import_jobs
        set problem = ${problem === null ? null : JSON.stringify(problem)}::text::jsonb where import_id = ${id}::int) `;
  await db.rows(
    sql`${said}update imports set state = ${state}${counted}${rests ? sql`, finished_at = now()` : sql``}
      where id = ${id}::int`,
  );
}

/**
 * Whether an import that is taken back was never done: its commit ended on the way. A person takes back only what is
 * done.
 */
export const isAbandoned = ({ state, commits }: Pick<Job, 'state' | 'commits'>): boolean =>
  state === 'undoing' && !commits;
