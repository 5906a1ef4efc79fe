/** How long the file and the rows of an import are kept: until then it can be looked at, put right and taken back. */
import { sql } from 'drizzle-orm';

export const keptDays = 30;

/** Rows of imports that are older. */
export const expiredRows = sql.raw(
  `delete from import_rows r using imports i where i.id = r.import_id
    and i.created_at < now() - interval '${keptDays} days'`,
);
