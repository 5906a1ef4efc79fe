/**
 * Carries reports out, as alerts are (server/alerts/send.ts): whoever takes a message puts it off for the time that sending may last, so that it is taken again only if
 * its sender ended on the way, under the same id.
 */
import { sql } from 'drizzle-orm';
import { isLanguage, type Language } from '../../schema/texts/types';
import { callerOfUser } from '../api/auth';
import type { Caller } from '../api/caller';
import type { Services } from '../services';
import { mailedOf, type Scheduled } from './mailed';
import { zoneOfSchedule } from './turns';

type Parts = Pick<Services, 'db' | 'mail' | 'env' | 'log' | 'now'>;
type Outcome = 'sent' | 'not_wanted' | 'no_rights' | 'too_large' | 'failed';

/** Seconds that sending one may last before it is anybody's again, and those until the next try after each that failed. */
const lease = 300;
const backOff = [60, 600, 3600, 14_400];
const batch = 10;

interface Taken extends Scheduled {
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

/** Sends what is due; gives how many messages were taken. */
export async function sendReports(services: Parts): Promise<number> {
  let taken = 0;
  for (;;) {
    const messages = await take(services);
    for (const message of messages) await settle(services, message);
    taken += messages.length;
    if (messages.length < batch) return taken;
  }
}

async function take({ db, now }: Parts): Promise<Taken[]> {
  const moment = sql`${now().toISOString()}::timestamptz`;
  return db.rows<Taken>(sql`
    with mine as (
      update report_messages set due_at = ${moment} + ${lease}::int * interval '1 second', tries = tries + 1
      where id in (select id from report_messages where due_at <= ${moment} order by due_at limit ${batch}::int for update skip locked)
      returning *
    )
    select mine.id, mine.schedule_id, mine.turn_at, (mine.turn_at at time zone place.zone)::date::text as day, place.zone, mine.tries,
      coalesce(u.email, mine.email) as email, case when u.id is not null then concat_ws(' ', u.first_name, u.last_name) end as name,
      mine.user_id is null or coalesce(u.deleted_at is null and u.allow_email, false) as wanted,
      coalesce(ul.two_letter_code, sl.two_letter_code) as language, s.user_id as owner, s.report, s.rhythm, s.is_detailed, s.client_id, s.fleet_id, s.location_id, s.view_id,
      c.name as client
    from mine join report_schedules s on s.id = mine.schedule_id join clients c on c.id = s.client_id cross join lateral (select ${zoneOfSchedule(sql`s`)} as zone) place
    left join users u on u.id = mine.user_id left join languages ul on ul.id = u.language_id left join languages sl on sl.id = s.language_id order by mine.turn_at, mine.id`);
}

async function settle(services: Parts, message: Taken): Promise<void> {
  try {
    await finish(services, message, { outcome: await carry(services, message) });
  } catch (error) {
    services.log.warn({ err: error, report: message.id, tries: message.tries }, 'a report could not be sent');
    const wait = backOff[message.tries - 1];
    const text = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    await finish(services, message, wait === undefined ? { outcome: 'failed', error: text } : { error: text, wait }).catch((err: unknown) =>
      services.log.warn({ err }, 'what became of a report could not be kept'),
    );
  }
}

async function finish(
  { db, now }: Parts,
  { id, schedule_id }: Taken,
  { outcome, error = null, wait }: { outcome?: Outcome; error?: string | null; wait?: number },
) {
  const moment = sql`${now().toISOString()}::timestamptz`;
  if (outcome === undefined)
    await db.rows(sql`update report_messages set due_at = ${moment} + ${wait ?? lease}::int * interval '1 second', error = ${error} where id = ${id}::uuid`);
  else
    await db.transaction(async (tx) => {
      await tx.rows(sql`update report_messages set due_at = null, outcome = ${outcome}, done_at = ${moment}, error = ${error} where id = ${id}::uuid`);
      // Whoever does not want it changes nothing about the schedule.
      if (outcome !== 'not_wanted')
        await tx.rows(sql`
          update report_schedules_state set outcome = ${outcome}, last_sent = case when ${outcome} = 'sent' then ${moment} else last_sent end where id = ${schedule_id}`);
    });
}

async function carry({ db, mail, env, now }: Parts, message: Taken): Promise<Outcome> {
  const { email, client, owner } = message;
  if (!message.wanted || email === null) return 'not_wanted';
  const found = owner === null ? undefined : await callerOfUser(db, owner);
  if (!found) return 'no_rights';
  const language: Language = isLanguage(message.language) ? message.language : found.language;
  const caller: Caller = { ...found, language, timeZone: message.zone };
  const mailed = await mailedOf(message, { db, caller, now: now() });
  if (typeof mailed === 'string') return mailed;
  const { path, ...told } = mailed;
  const letter = { kind: 'report' as const, name: message.name ?? client, link: `${env.publicUrl}${path}`, ...told };
  await mail.send(email, language, letter, { id: message.id, at: message.turn_at });
  return 'sent';
}
