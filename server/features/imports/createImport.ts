/** Creates an import from an uploaded file. */
import { sql } from 'drizzle-orm';
import { importEndings, maxUnfinishedImports } from '../../../schema/shared/imports';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity, Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import type { WriteTransaction } from '../../endpoints/serve';
import { enqueueStep, workingStates } from './enqueueStep';
import { importFileKind } from './importFileKind';
import { type ImportJob, importFileName } from './job';
import type { UploadedFile } from './settings';
import { UnreadableFile } from './unreadableFile';

/**
 * Throws 422 for files that are not tables by content or name. A table that cannot be read passes; its import fails
 * later, with the reason.
 */
export function requireTable({ filename, bytes }: UploadedFile): void {
  try {
    if (importEndings.some((ending) => filename.toLowerCase().endsWith(`.${ending}`)) && importFileKind(bytes)) return;
  } catch (error) {
    if (error instanceof UnreadableFile) return;
    throw error;
  }
  throw ApiError.invalidAt('file', { key: 'import_type' }, 'imports');
}

/** Advisory lock held while an import of a user is added. */
const unfinishedLock = 7_335_112;

/**
 * Throws 429 if the caller has too many unfinished imports, each of which stores its file in the database.
 */
export async function requireRoomInQueue(db: Queries, { userId }: Caller): Promise<void> {
  const unfinishedImports = await db.selectOne(
    { count: pg.integer },
    sql`select count(*)::int as count from imports where user_id = ${userId}::int
      and state = any(${sql.param([...workingStates])}::text[]) and deleted_at is null`,
  );
  if ((unfinishedImports?.count ?? 0) < maxUnfinishedImports) return;
  throw new ApiError(
    429,
    { text: 'import_queue_full', values: { most: maxUnfinishedImports } },
    { headers: { 'Retry-After': '10' } },
  );
}

/** Stores the file and its import for the caller of `transaction`. Returns the id of the import. */
export async function createImport(
  { now }: Pick<Services, 'now'>,
  transaction: WriteTransaction,
  {
    resource,
    file,
    settings,
    commits,
  }: { resource: ModelEntity; file: UploadedFile; settings: ImportJob['settings']; commits: boolean },
): Promise<number> {
  const name = file.filename.replace(/[\p{Cc}\p{Cs}]/gu, '').slice(-200) || 'import';
  return transaction(async (tx, caller) => {
    // Serialises concurrent uploads of one user, so that each of them counts the others.
    await tx.rows(sql`select pg_advisory_xact_lock(${unfinishedLock}::int, ${caller.userId}::int)`);
    await requireRoomInQueue(tx, caller);
    const insertedImport = await tx.selectOne(
      { id: pg.integer },
      sql`insert into imports (file_name, resource, user_id, mode)
        values (${name}, ${resource.name}, ${caller.userId}::int, ${settings.mode}) returning id`,
    );
    const { id } = insertedImport as { id: number };
    await tx.rows(
      sql`insert into import_jobs (import_id, settings, commits, token_id)
        values (${id}::int, ${JSON.stringify(settings)}::text::jsonb, ${commits}::boolean,
        ${caller.tokenId ?? null}::int)`,
    );
    await tx.rows(
      sql`insert into files (name, media_type, size, bytes) values (${importFileName(id)}, 'application/octet-stream',
        ${file.bytes.length}::int, ${file.bytes})`,
    );
    await enqueueStep(tx, id, now());
    return id;
  });
}
