/** Computes the next turn of report schedules, in the time zone of their location or client (`clientZoneSql`). */
import { sql } from 'drizzle-orm';
import { weekdays } from '../../../schema/entities/report_schedules';
import type { Queries } from '../../db/core/database';
import { clientZoneSql } from '../../telemetry/timeline/days';

/** Days within which a schedule of any rhythm has a turn. */
const lookAheadDays = 62;

/** Stores the next turn of each schedule after `now`; null for paused schedules. */
export async function planTurns(tx: Queries, ids: readonly number[], now: Date): Promise<void> {
  const instant = sql`${now.toISOString()}::timestamptz`;
  const isoWeekdays = sql.join(
    weekdays.map((name, index) => sql`when ${name} then ${index + 1}::int`),
    sql` `,
  );
  await tx.rows(sql`
    update report_schedules_state st set next_due = case when s.is_active then (
      select min(turn.at) from (
        select (d.day + make_interval(hours => s.hour)) at time zone client.zone as at
        from generate_series((${instant} at time zone client.zone)::date::timestamp,
        (${instant} at time zone client.zone)::date::timestamp + ${lookAheadDays}::int * interval '1 day',
        interval '1 day') as
        d(day)
        where case s.rhythm when 'weekly' then extract(isodow from d.day) = case s.weekday ${isoWeekdays} end
          else extract(day from d.day) = least(s.day_of_month, extract(day
          from date_trunc('month', d.day) + interval '1 month - 1 day')) end
      ) turn where turn.at > ${instant}
    ) end
    from report_schedules s cross join lateral (select ${clientZoneSql(sql`s`)} as zone) client
    where s.id = st.id and s.id = any(${sql.param([...ids])}::int[])`);
}
