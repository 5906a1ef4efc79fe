/** Local time at a machine's location, and grouping by local periods. */
import { sql } from 'drizzle-orm';
import { ApiError } from '../../context/errors';
import type { Queries } from '../../db/core/database';
import { zoneOf } from '../../telemetry/timeline/days';

const groups = ['day', 'week', 'month'] as const;
type Group = (typeof groups)[number];

/** Parameter `group`; by day unless set. */
export function groupOf(search: URLSearchParams): Group {
  const written = search.get('group') ?? 'day';
  const group = groups.find((known) => known === written);
  if (!group) throw ApiError.invalidAt('group', { key: 'one_of', values: { values: groups.join(', ') } });
  return group;
}

/** Time zone of the machine's location, and its current local day (`YYYY-MM-DD`). */
export async function localTimeOf(db: Queries, id: number, now: Date): Promise<{ zone: string; today: string }> {
  const found = await db.one<{ zone: string; today: string }>(sql`
    select zone, (${now.toISOString()}::timestamptz at time zone zone)::date::text as today
    from (select ${zoneOf(sql`l`)} as zone from machines m left join locations l on l.id = m.location_id
    where m.id = ${id}) z`);
  if (!found) throw ApiError.notFound();
  return found;
}
