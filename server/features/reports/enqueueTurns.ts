/**
 * Enqueues due turns of schedules as jobs. The same transaction sets the schedule's next turn, so that none is sent
 * twice. Of several turns missed during a downtime, only the first is sent.
 */
import { sql } from 'drizzle-orm';
import type { Services } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { enqueueFrom } from '../../jobs/jobQueue';
import { planTurns } from './planTurns';

/** Payload of a `report_message` job: a report for one recipient, who is a user or an address. */
export interface ReportMessage {
  schedule_id: number;
  user_id: number | null;
  email: string | null;
  /** ISO 8601; the period of the report ends before this time. */
  turn_at: string;
}

export const reportMessageKind = 'report_message';

/**
 * Enqueues a message to each recipient of every due schedule, and plans the first turn of new ones. Several processes
 * may run this at once, because only one of them gets the lock of a schedule.
 */
export async function enqueueTurns({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const instant = sql`${now().toISOString()}::timestamptz`;
  const dueSchedules = sql`report_schedules_state st join report_schedules s on s.id = st.id and s.is_active
    and s.deleted_at is null where (st.next_due <= ${instant} or st.next_due is null)`;
  if (!(await db.one(sql`select 1 from ${dueSchedules} limit 1`))) return;
  await db.transaction(async (tx) => {
    const lockedSchedules = await tx.select(
      { id: pg.integer },
      sql`select st.id from ${dueSchedules} order by st.id for update of st skip locked`,
    );
    const ids = sql`${sql.param(lockedSchedules.map(({ id }) => id))}::int[]`;
    await enqueueFrom(
      tx,
      reportMessageKind,
      sql`select gen_random_uuid(), concat_ws('/', m.schedule_id, m.turn_at, m.user_id, m.email),
          to_jsonb(m), null::bytea, ${instant}, now()
        from (
          select st.id as schedule_id, r.user_id, r.email, st.next_due as turn_at
          from report_schedules_state st join report_schedules s on s.id = st.id cross join lateral (
            select k.users_id as user_id, null as email from report_schedules_users k join users u on u.id = k.users_id
            and u.deleted_at is null where k.report_schedules_id = s.id
            union all select null, address from unnest(s.emails) as address
          ) r
          where st.id = any(${ids}) and st.next_due is not null
        ) m`,
    );
    await tx.rows(sql`
      update report_schedules_state st set outcome = 'no_recipients' from report_schedules s
      where st.id = any(${ids}) and st.next_due is not null and s.id = st.id and cardinality(s.emails) = 0
      and not exists (select from report_schedules_users k join users u on u.id = k.users_id
      and u.deleted_at is null where k.report_schedules_id = s.id)`);
    await planTurns(
      tx,
      lockedSchedules.map(({ id }) => id),
      now(),
    );
  });
}
