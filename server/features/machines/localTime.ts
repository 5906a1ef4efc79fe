/** The local time of a machine's site, in whose days its figures are counted, and how they are grouped. */
import { sql } from 'drizzle-orm';
import { ApiError } from '../../context/errors';
import type { Queries } from '../../db/core/database';
import { zoneOf } from '../../telemetry/timeline/days';

const groups = ['day', 'week', 'month'] as const;
type Group = (typeof groups)[number];

/** The `group` of a query, by default the day. */
export function groupOf(search: URLSearchParams): Group {
  const written = search.get('group') ?? 'day';
  const group = groups.find((known) => known === written);
  if (!group) throw ApiError.invalidAt('group', { key: 'one_of', values: { values: groups.join(', ') } });
  return group;
}

/** The zone of the machine's site, and which day it is there (`YYYY-MM-DD`). */
export async function localTimeOf(db: Queries, id: number, now: Date): Promise<{ zone: string; today: string }> {
  const found = await db.one<{ zone: string; today: string }>(sql`
    select zone, (${now.toISOString()}::timestamptz at time zone zone)::date::text as today
    from (select ${zoneOf(sql`l`)} as zone from machines m left join locations l on l.id = m.location_id
    where m.id = ${id}) z`);
  if (!found) throw ApiError.notFound();
  return found;
}
