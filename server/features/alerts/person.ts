/**
 * Tells one person of an alert, if they, the machine and the client allow it and they reach a machine of it at this
 * moment.
 */
import { sql } from 'drizzle-orm';
import type { Language } from '../../../schema/shared/languages';
import type { NotificationEvent } from '../../../schema/shared/notifications';
import { visibleIds } from '../../access/scope';
import { loadCallerOfUser } from '../../auth/loadCaller';
import type { Letter } from '../../context/mailer';
import type { Services } from '../../context/services';
import { wantsSql } from '../../notifications/notifications';
import type { AlertMessageOutcome, Channel, LeasedAlertMessage } from './messages';
import { summaryText } from './sentence';
import { sendSms } from './sms';

interface Person {
  name: string;
  email: string;
  phone: string | null;
}

type NotifyServices = Pick<Services, 'db' | 'mail' | 'env' | 'model'>;

export async function notifyUser(
  { db, mail, env, model }: NotifyServices,
  message: LeasedAlertMessage,
): Promise<AlertMessageOutcome> {
  const userId = message.user_id as number;
  const channel = message.channel as Exclude<Channel, 'webhook'>;
  if (await isOver({ db }, message)) return 'over';
  const person = await db.one<Person>(sql`
    select concat_ws(' ', u.first_name, u.last_name) as name, u.email, u.phone from users u
    where u.id = ${userId} and u.deleted_at is null and ${wantsSql('u', { event: eventOf(message), channel })}`);
  const caller = await loadCallerOfUser(db, userId);
  if (!person || !caller || (channel === 'sms' && !message.sms_activation)) return 'not_wanted';
  const machines = await machinesOf({ db }, message);
  const reached = new Set(
    await visibleIds(
      db,
      model.require('machines'),
      caller,
      machines.map(({ id }) => id),
    ),
  );
  const told = machines.filter(({ id }) => reached.has(id)).map(({ serial_number }) => serial_number);
  if (told.length === 0) return 'not_wanted';
  const { language } = caller;
  const summary = summaryText(language, { ...message, machines: told });
  const link = `${env.publicUrl}/alerts/${message.alert_id}`;
  if (channel === 'email') {
    const shared = { name: person.name, link, summary, time: timeOf(language, message) };
    const letter: Letter =
      message.rule === null
        ? { ...shared, kind: 'problem_reported', reporter: message.reporter ?? '', report: message.report ?? '' }
        : { ...shared, kind: `alert_${message.event}`, rule: message.rule };
    await mail.send(person.email, language, letter, { id: message.id, at: message.created_at });
    return 'sent';
  }
  if (!env.smsUrl || !person.phone) return 'not_wanted';
  await sendSms(env.smsUrl, { id: message.id, to: person.phone, text: `${summary}\n${link}` });
  return 'sent';
}

/** What the user chose to be told of or not. */
function eventOf({ event, metric }: LeasedAlertMessage): NotificationEvent {
  if (event === 'closed') return 'alert_closed';
  return metric === 'service_due' ? 'service_due' : metric === 'reported' ? 'problem_reported' : 'alert_fired';
}

/** Machines of the alert that allow the channel. */
const machinesOf = ({ db }: Pick<NotifyServices, 'db'>, { alert_id, channel }: LeasedAlertMessage) =>
  db.rows<{ id: number; serial_number: string }>(sql`
    select m.id, m.serial_number from alerts_machines k join machines m on m.id = k.machines_id
    where k.alerts_id = ${alert_id} and m.deleted_at is null
    and ${channel === 'email' ? sql`m.allow_email` : sql`m.allow_sms`} order by m.serial_number`);

/**
 * What was put off until it is no news: a beginning after the end, a reminder of what somebody has seen, an end of what
 * was never told.
 */
async function isOver(
  { db }: Pick<NotifyServices, 'db'>,
  { alert_id, event, channel, user_id, state }: LeasedAlertMessage,
): Promise<boolean> {
  if (event === 'fired') return state === 'closed';
  if (event === 'reminder') return state !== 'open';
  const told = await db.one(sql`
    select 1 from alert_messages where alert_id = ${alert_id} and user_id = ${user_id}::int and channel = ${channel}
    and event = 'fired' and outcome = 'sent'`);
  return told === undefined;
}

/** Since when, by the clock at the place of the machine. */
const timeOf = (language: Language, { opened_at, zone }: LeasedAlertMessage): string =>
  new Intl.DateTimeFormat(language, { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }).format(opened_at);
