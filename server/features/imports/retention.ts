/** Retention of import files and rows, which are needed to view, correct and undo imports. */
import { sql } from 'drizzle-orm';

export const importRetentionDays = 30;

/** SQL: deletes the rows of imports past their retention. */
export const deleteExpiredRowsSql = sql.raw(
  `delete from import_rows r using imports i where i.id = r.import_id
    and i.created_at < now() - interval '${importRetentionDays} days'`,
);
