/**
 * Turns of schedules as mails that wait: written in the transaction that puts the schedule on, so that no turn comes
 * twice and none is lost.
 */
import { sql } from 'drizzle-orm';
import type { Services } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { planTurns } from './turns';

/**
 * Writes a message per recipient of every schedule whose turn has come. Any process may: each schedule is taken by one.
 */
export async function queueTurns({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const moment = sql`${now().toISOString()}::timestamptz`;
  const waiting = sql`report_schedules_state st join report_schedules s on s.id = st.id and s.is_active
    and s.deleted_at is null where (st.next_due <= ${moment} or st.next_due is null)`;
  if (!(await db.one(sql`select 1 from ${waiting} limit 1`))) return;
  await db.transaction(async (tx) => {
    const due = await tx.select(
      { id: pg.integer },
      sql`select st.id from ${waiting} order by st.id for update of st skip locked`,
    );
    const ids = sql`${sql.param(due.map(({ id }) => id))}::int[]`;
    await tx.rows(sql`
      insert into report_messages (schedule_id, user_id, email, turn_at, due_at)
      select st.id, told.user_id, told.email, st.next_due, ${moment}
      from report_schedules_state st join report_schedules s on s.id = st.id cross join lateral (
        select k.users_id as user_id, null as email from report_schedules_users k join users u on u.id = k.users_id
        and u.deleted_at is null where k.report_schedules_id = s.id
        union all select null, address from unnest(s.emails) as address
      ) told
      where st.id = any(${ids}) and st.next_due is not null`);
    await tx.rows(sql`
      update report_schedules_state st set outcome = 'no_recipients'
      where id = any(${ids}) and next_due is not null and not exists (select from report_messages r
      where r.schedule_id = st.id and r.turn_at = st.next_due)`);
    await planTurns(
      tx,
      due.map(({ id }) => id),
      now(),
    );
  });
}
