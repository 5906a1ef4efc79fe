/** Carries scheduled reports out, each computed anew with the rights of the schedule's owner. */
import { sql } from 'drizzle-orm';
import { isLanguage, type Language } from '../../../schema/shared/languages';
import { loadCallerOfUser } from '../../auth/loadCaller';
import type { Caller } from '../../context/caller';
import type { Services } from '../../context/services';
import { deliverDue, type OutboxHandler } from '../../jobs/outbox';
import { zoneWithin } from '../../telemetry/timeline/days';
import { renderScheduledReport, type Scheduled } from './renderScheduledReport';

type ReportMailServices = Pick<Services, 'db' | 'mail' | 'env' | 'log' | 'model' | 'now'>;
type ReportMailOutcome = 'sent' | 'not_wanted' | 'no_rights' | 'too_large';

interface LeasedReportRun extends Scheduled {
  id: string;
  schedule_id: number;
  turn_at: Date;
  tries: number;
  email: string | null;
  name: string | null;
  /** Whether the recipient, if they are a user, is still there and takes e-mails. */
  wanted: boolean;
  language: string | null;
  owner: number | null;
  /** Of the place that it is about. */
  zone: string;
}

const messages: Omit<OutboxHandler<LeasedReportRun, ReportMailOutcome>, 'carry'> = {
  table: 'report_messages',
  failed: 'a report could not be sent',
  lease: 300,
  backOff: [60, 600, 3600, 14_400],
  batch: 10,
  atOnce: 1,
  read: (mine) => sql`
    select m.id, m.schedule_id, m.turn_at, (m.turn_at at time zone place.zone)::date::text as day, place.zone, m.tries,
      coalesce(u.email, m.email) as email, case when u.id is not null then concat_ws(' ', u.first_name, u.last_name)
      end as name,
      m.user_id is null or coalesce(u.deleted_at is null and u.allow_email, false) as wanted,
      coalesce(ul.two_letter_code, sl.two_letter_code) as language, s.user_id as owner, s.report, s.rhythm,
      s.is_detailed, s.client_id, s.fleet_id, s.location_id, s.view_id,
      c.name as client
    from ${mine} m join report_schedules s on s.id = m.schedule_id join clients c on c.id = s.client_id
    cross join lateral (select ${zoneWithin(sql`s`)} as zone) place
    left join users u on u.id = m.user_id left join languages ul on ul.id = u.language_id
    left join languages sl on sl.id = s.language_id order by m.turn_at, m.id`,
  async ended(tx, { schedule_id, id }, outcome) {
    // Whoever does not want it changes nothing about the schedule.
    if (outcome === 'not_wanted') return;
    await tx.rows(sql`
      update report_schedules_state set outcome = ${outcome}, last_sent = case
      when ${outcome} = 'sent' then (select done_at from report_messages where id = ${id}::uuid) else last_sent end
      where id = ${schedule_id}`);
  },
};

/** Sends what is due; gives how many messages were taken. */
export const sendReports = (services: ReportMailServices): Promise<number> =>
  deliverDue(services, { ...messages, carry: (message) => carry(services, message) });

async function carry(
  { db, mail, env, model, now }: ReportMailServices,
  message: LeasedReportRun,
): Promise<ReportMailOutcome> {
  const { email, client, owner } = message;
  if (!message.wanted || email === null) return 'not_wanted';
  const found = owner === null ? undefined : await loadCallerOfUser(db, owner);
  if (!found) return 'no_rights';
  const language: Language = isLanguage(message.language) ? message.language : found.language;
  const caller: Caller = { ...found, language, timeZone: message.zone };
  const mailed = await renderScheduledReport(message, { db, model, caller, now: now() });
  if (typeof mailed === 'string') return mailed;
  const { path, ...told } = mailed;
  const letter = { kind: 'report' as const, name: message.name ?? client, link: `${env.publicUrl}${path}`, ...told };
  await mail.send(email, language, letter, { id: message.id, at: message.turn_at });
  return 'sent';
}
