/**
 * Carries reports out, as alerts are (server/alerts/send.ts): whoever takes a message puts it off for the time that sending may last, so that it is taken again only if
 * its sender ended on the way, under the same id.
 */
import { sql } from 'drizzle-orm';
import { type ReportName, reports } from '../../schema/reports';
import { isLanguage, type Language } from '../../schema/texts/types';
import { callerOfUser } from '../api/auth';
import type { Caller } from '../api/caller';
import { Refusal } from '../api/errors';
import { xlsxOf } from '../api/exchange/xlsx';
import { texts } from '../api/texts';
import type { Services } from '../services';
import { type Asked, addDays, askedOf } from './asked';
import { mayRead, reportFor } from './report';
import { sheetOf } from './sheet';
import { zoneOfSchedule } from './turns';
import { daysInWords, totalsOf } from './words';

type Parts = Pick<Services, 'db' | 'mail' | 'env' | 'log' | 'now'>;
type Outcome = 'sent' | 'not_wanted' | 'no_rights' | 'failed';

/** Seconds that sending one may last before it is anybody's again, and those until the next try after each that failed. */
const lease = 300;
const backOff = [60, 600, 3600, 14_400];
const batch = 10;

interface Taken {
  id: string;
  schedule_id: number;
  turn_at: Date;
  /** The local day of the turn. */
  day: string;
  tries: number;
  email: string | null;
  name: string | null;
  /** Whether the recipient, if they are a user, is still there and takes e-mails. */
  wanted: boolean;
  language: string | null;
  owner: number | null;
  report: ReportName;
  rhythm: 'monthly' | 'weekly';
  is_detailed: boolean;
  client_id: number;
  fleet_id: number | null;
  location_id: number | null;
  client: string;
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
    select mine.id, mine.schedule_id, mine.turn_at, (mine.turn_at at time zone ${zoneOfSchedule(sql`s`)})::date::text as day, mine.tries,
      coalesce(u.email, mine.email) as email, case when u.id is not null then concat_ws(' ', u.first_name, u.last_name) end as name,
      mine.user_id is null or coalesce(u.deleted_at is null and u.allow_email, false) as wanted,
      coalesce(ul.two_letter_code, sl.two_letter_code) as language, s.user_id as owner, s.report, s.rhythm, s.is_detailed, s.client_id, s.fleet_id, s.location_id, c.name as client
    from mine join report_schedules s on s.id = mine.schedule_id join clients c on c.id = s.client_id
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

async function carry(services: Parts, message: Taken): Promise<Outcome> {
  const { db, mail, env, now } = services;
  const { report, email, client, owner } = message;
  if (!message.wanted || email === null) return 'not_wanted';
  const found = owner === null ? undefined : await callerOfUser(db, owner);
  if (!found || !mayRead(found, report, true)) return 'no_rights';
  const language: Language = isLanguage(message.language) ? message.language : found.language;
  const caller: Caller = { ...found, language };
  const asked = askedFor(message);
  const answer = await reportFor(asked, { db, caller, now: now() }).catch((error: unknown) => {
    // The client, fleet or location is beyond the owner's reach by now.
    if (error instanceof Refusal && error.status === 422) return undefined;
    throw error;
  });
  if (!answer) return 'no_rights';
  const { name, sheet, head, rows } = sheetOf(answer, language);
  const title = texts[language].reports.names[report];
  const place = [client, answer.fleet?.name, answer.location?.name].filter(Boolean).join(', ');
  await mail.send(
    email,
    language,
    {
      kind: 'report',
      name: message.name ?? client,
      link: `${env.publicUrl}/reports/${report}?${pageSearch(asked)}`,
      report: title,
      place,
      period: daysInWords(answer.from, answer.to),
      figures: totalsOf(answer, language),
      file: { name: `${name}.xlsx`, content: await bytesOf(xlsxOf({ name: sheet, head, batches: once(rows) })) },
    },
    { id: message.id, at: message.turn_at },
  );
  return 'sent';
}

/** The period that is over when the turn comes: the month before, or the seven days that end the day before; of a look ahead the next weeks. */
function askedFor({ report, rhythm, is_detailed, client_id, fleet_id, location_id, day }: Taken): Asked {
  const { asks, levels } = reports[report];
  const search = new URLSearchParams({ by: levels[levels.length - (is_detailed ? 1 : 2)] as string, client_id: String(client_id) });
  if (fleet_id !== null) search.set('fleet_id', String(fleet_id));
  if (location_id !== null) search.set('location_id', String(location_id));
  if (asks === 'period' && rhythm === 'weekly') {
    search.set('from', addDays(day, -7));
    search.set('to', addDays(day, -1));
  }
  return askedOf(report, search, day);
}

/** The same on the page. */
function pageSearch({ report, filter, from, to, by }: Asked): URLSearchParams {
  const days: Record<string, string> = reports[report].asks === 'date' ? { date: to } : { from, to };
  return new URLSearchParams({ ...Object.fromEntries(Object.entries(filter).map(([name, id]) => [name, String(id)])), ...days, by });
}

async function* once<T>(rows: T): AsyncGenerator<T> {
  yield rows;
}

async function bytesOf(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
