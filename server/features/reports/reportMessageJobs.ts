/**
 * Sends scheduled reports, each computed with the permissions and scope that the owner of its schedule has when it is
 * sent.
 */
import { sql } from 'drizzle-orm';
import type { ScheduledName } from '../../../schema/entities/report_schedules';
import { isLanguage, type Language } from '../../../schema/shared/languages';
import { loadCallerOfUser } from '../../auth/loadCaller';
import type { Caller } from '../../context/caller';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { instantSql, type LeasedJob } from '../../jobs/jobQueue';
import type { JobKind, JobResult } from '../../jobs/jobWorker';
import { clientZoneSql } from '../../telemetry/timeline/days';
import { type ReportMessage, reportMessageKind } from './enqueueTurns';
import { renderScheduledReport } from './renderScheduledReport';

type ReportMailServices = Pick<Services, 'db' | 'mail' | 'env' | 'log' | 'model' | 'now'>;

const backOff = [60, 600, 3600, 14_400];

const scheduleShape = {
  email: pg.text.nullable,
  name: pg.text.nullable,
  /** Whether to send the mail: to an address, or to a user who still exists and accepts e-mails. */
  is_wanted: pg.boolean,
  language: pg.text.nullable,
  owner: pg.integer.nullable,
  /** Time zone of the schedule (`clientZoneSql`); `day` is the local day of the turn there. */
  zone: pg.text,
  day: pg.text,
  report: pg.text.as<ScheduledName>(),
  rhythm: pg.text.as<'monthly' | 'weekly'>(),
  is_detailed: pg.boolean,
  client_id: pg.integer,
  fleet_id: pg.integer.nullable,
  location_id: pg.integer.nullable,
  view_id: pg.integer.nullable,
  client: pg.text,
};

/** The kind of job that sends a scheduled report to one recipient. */
export const reportMessageJobs = (services: ReportMailServices): JobKind<ReportMessage> => ({
  kind: reportMessageKind,
  concurrency: 1,
  backOff: (attempts) => backOff[attempts - 1],
  onDead: (tx, { payload }) => storeOutcome(tx, payload, 'failed', services.now()),
  async run(job) {
    const { outcome, effects } = await send(services, job);
    return {
      outcome,
      async effects(tx) {
        await effects?.(tx);
        // A recipient who does not want the mail does not affect the outcome of the schedule.
        if (outcome !== 'not_wanted') await storeOutcome(tx, job.payload, outcome, services.now());
      },
    };
  },
});

const storeOutcome = async (tx: Queries, { schedule_id }: ReportMessage, outcome: string, now: Date): Promise<void> => {
  await tx.rows(sql`
    update report_schedules_state set outcome = ${outcome}, last_sent = case
    when ${outcome} = 'sent' then ${instantSql(now)} else last_sent end where id = ${schedule_id}::int`);
};

async function send(
  { db, mail, env, model, now }: ReportMailServices,
  { id, payload: { schedule_id, user_id, email, turn_at } }: LeasedJob<ReportMessage>,
): Promise<JobResult> {
  const message = await db.selectOne(
    scheduleShape,
    sql`
      select coalesce(u.email, ${email}::text) as email,
        case when u.id is not null then concat_ws(' ', u.first_name, u.last_name) end as name,
        ${user_id}::int is null or coalesce(u.deleted_at is null and u.allow_email, false) as is_wanted,
        coalesce(ul.two_letter_code, sl.two_letter_code) as language, s.user_id as owner, client_zone.zone,
        (${turn_at}::timestamptz at time zone client_zone.zone)::date::text as day, s.report, s.rhythm, s.is_detailed,
        s.client_id, s.fleet_id, s.location_id, s.view_id, c.name as client
      from report_schedules s join clients c on c.id = s.client_id
      cross join lateral (select ${clientZoneSql(sql`s`)} as zone) client_zone
      left join users u on u.id = ${user_id}::int left join languages ul on ul.id = u.language_id
      left join languages sl on sl.id = s.language_id where s.id = ${schedule_id}::int
        and s.deleted_at is null`,
  );
  if (!message?.is_wanted || message.email === null) return { outcome: 'not_wanted' };
  const { email: to, client, owner } = message;
  const ownerCaller = owner === null ? undefined : await loadCallerOfUser(db, owner);
  if (!ownerCaller) return { outcome: 'no_rights' };
  const language: Language = isLanguage(message.language) ? message.language : ownerCaller.language;
  const caller: Caller = { ...ownerCaller, language, timeZone: message.zone };
  const report = await renderScheduledReport(message, {
    db,
    model,
    caller,
    now: now(),
    publicUrl: env.publicUrl,
  });
  if (typeof report === 'string') return { outcome: report };
  const { path, ...content } = report;
  const letter = { kind: 'report' as const, name: message.name ?? client, link: `${env.publicUrl}${path}`, ...content };
  return { outcome: 'sent', effects: (tx) => mail.send(tx, to, language, letter, id) };
}
