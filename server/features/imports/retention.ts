/** Retention of the files and rows of imports, which are needed to view, correct and undo them. */
import { sql } from 'drizzle-orm';

export const importRetentionDays = 30;

/** SQL: deletes the rows of older imports. */
export const expiredRows = sql.raw(
  `delete from import_rows r using imports i where i.id = r.import_id
    and i.created_at < now() - interval '${importRetentionDays} days'`,
);
