/** Parses opening hours that a migration or the undo of an import left as the text that people wrote. */
import { sql } from 'drizzle-orm';
import { type Hours, normalizeHours } from '../../../schema/dsl/hours';
import { parseHours } from '../../../schema/dsl/parseHours';
import type { Database } from '../core/database';
import { pg } from '../core/rowShape';

const batchSize = 1000;

/** Parses each text as far as possible. A text that differs from its parsed hours is kept as their note. */
export async function convertTextHours(db: Database): Promise<void> {
  for (;;) {
    const rows = await db.select(
      { id: pg.integer, text: pg.text },
      sql`select id, opening_hours #>> '{}' as text from locations where jsonb_typeof(opening_hours) = 'string'
        limit ${batchSize}`,
    );
    if (rows.length === 0) return;
    const rowsWithHours = rows.map(({ id, text }) => ({ id, hours: parseTextHours(text) }));
    await db.rows(
      sql`update locations l set opening_hours = x.hours
        from jsonb_to_recordset(${JSON.stringify(rowsWithHours)}::text::jsonb) as x (id int, hours jsonb)
        where l.id = x.id and jsonb_typeof(l.opening_hours) = 'string'`,
    );
  }
}

function parseTextHours(text: string): Hours | null {
  const hours = parseHours(text);
  const isSame = hours?.note === null && normalize(hours.text) === normalize(text);
  return isSame ? hours : normalizeHours({ ...hours, note: text });
}

const normalize = (text: string) => text.toLowerCase().replace(/[\s;,]/g, '');
