import { sql } from 'drizzle-orm';

/** SQL: the name of a location `m`, with its address wherever another row of the statement has the same name. */
export const siteLabelSql = sql.raw(`case when count(*) over (partition by m.name) > 1 and m.address <> ''
  then m.name || ' (' || m.address || ')' else m.name end`);
