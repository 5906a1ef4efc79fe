/** The rows of a machine's log as one plain query without parameters, as COPY requires it. */
import { sql } from 'drizzle-orm';
import type { Caller } from '../../server/context/caller';
import { sqlLiteral } from '../../server/db/core/columns';
import { printStatement } from '../../server/db/core/statement';
import { buildEventSources, eventRowsSql } from '../../server/features/machines/logRows';

const zone = 'Europe/Berlin';

export function machineLogQuery(machine: number): string {
  const rows = eventRowsSql(buildEventSources({ language: 'en' } as Caller, zone), {
    columns: ({ id, at, level, text }) => sql`${id} as id, ${at} as at, ${level} as level, ${text} as text`,
    where: () => sql`machine_id = ${machine}::int`,
  });
  const { text, params } = printStatement(
    sql`select to_char(at at time zone ${zone}::text, 'DD.MM.YYYY HH24:MI:SS'), level, text from (${rows}) event order by at desc, id desc`,
  );
  return text.replace(/\$(\d+)/g, (_, index) => sqlLiteral(params[Number(index) - 1] as string | number));
}
