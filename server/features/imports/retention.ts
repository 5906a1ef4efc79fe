/** Retention of files and rows of imports: until then an import can be viewed, corrected and undone. */
import { sql } from 'drizzle-orm';

export const importRetentionDays = 30;

/** Deletes rows of older imports. */
export const expiredRows = sql.raw(
  `delete from import_rows r using imports i where i.id = r.import_id
    and i.created_at < now() - interval '${importRetentionDays} days'`,
);
