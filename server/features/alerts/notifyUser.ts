/** Notifies a user of an alert, if user, machine and client allow it and a machine or zone of the alert is in scope. */
import { sql } from 'drizzle-orm';
import type { Language } from '../../../schema/shared/languages';
import type { NotificationEvent } from '../../../schema/shared/notifications';
import { scopeWhere, visibleIds } from '../../access/scopeWhere';
import { loadCallerOfUser } from '../../auth/loadCaller';
import type { Caller } from '../../context/caller';
import type { Letter } from '../../context/mailer';
import type { Services } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { texts } from '../../i18n/messages';
import type { JobResult } from '../../jobs/jobWorker';
import { notificationWantedWhere } from '../../notifications/notifications';
import { type AlertMessageOutcome, alertMessageKind, type Channel, type LeasedAlertMessage } from './messages';
import { sendSms } from './sendSms';
import { summaryText, zonePlaceSql } from './summaryText';

const recipientShape = { name: pg.text, email: pg.text, phone: pg.text.nullable };

interface NotifyResult extends JobResult {
  outcome: AlertMessageOutcome;
}

type NotifyServices = Pick<Services, 'db' | 'mail' | 'env' | 'model'>;

/** Returns a mail as an effect, which enqueues it in the transaction that ends the job. Sends an SMS itself. */
export async function notifyUser(
  { db, mail, env, model }: NotifyServices,
  message: LeasedAlertMessage,
): Promise<NotifyResult> {
  const userId = message.user_id as number;
  const channel = message.channel as Exclude<Channel, 'webhook'>;
  if (await isObsolete({ db }, message)) return { outcome: 'over' };
  const recipient = await db.selectOne(
    recipientShape,
    sql`
    select concat_ws(' ', u.first_name, u.last_name) as name, u.email, u.phone from users u
    where u.id = ${userId} and u.deleted_at is null
      and ${notificationWantedWhere('u', { event: eventOf(message), channel })}`,
  );
  const caller = await loadCallerOfUser(db, userId);
  if (!recipient || !caller || (channel === 'sms' && !message.sms_activation)) return { outcome: 'not_wanted' };
  const names = await readVisibleNames({ db, model }, message, caller);
  if (names.length === 0) return { outcome: 'not_wanted' };
  const { language } = caller;
  const summary = summaryText(language, { ...message, machines: names });
  const link = `${env.publicUrl}/alerts/${message.alert_id}`;
  if (channel === 'email') {
    const commonFields = { name: recipient.name, link, summary, time: openingTimeText(language, message) };
    const letter: Letter =
      message.rule === null && message.event === 'closed'
        ? { ...commonFields, kind: 'problem_closed' }
        : message.rule === null
          ? {
              ...commonFields,
              kind: 'problem_reported',
              reporter: message.reporter || texts[language].alerts.public_page,
              report: message.report ?? '',
            }
          : { ...commonFields, kind: `alert_${message.event}`, rule: message.rule };
    return { outcome: 'sent', effects: (tx) => mail.send(tx, recipient.email, language, letter, message.id) };
  }
  if (!env.smsUrl || !recipient.phone) return { outcome: 'not_wanted' };
  await sendSms(env.smsUrl, { id: message.id, to: recipient.phone, text: `${summary}\n${link}` });
  return { outcome: 'sent' };
}

/** Returns the event by which users choose what they are notified of. */
function eventOf({ event, metric }: LeasedAlertMessage): NotificationEvent {
  if (event === 'closed') return 'alert_closed';
  return metric === 'service_due' ? 'service_due' : metric === 'reported' ? 'problem_reported' : 'alert_fired';
}

/**
 * Reads the names of the alert's machines that the caller sees and that allow the channel. For an alert about zones,
 * reads one text with the zones that the caller sees.
 */
async function readVisibleNames(
  { db, model }: Pick<NotifyServices, 'db' | 'model'>,
  message: LeasedAlertMessage,
  caller: Caller,
): Promise<string[]> {
  if (message.metric === 'zone_uncleaned') {
    const visibleWhere = scopeWhere(model.require('zones'), caller, sql.raw('alert_zone'));
    const row = await db.selectOne(
      { place: pg.text.nullable },
      sql`select ${zonePlaceSql(sql.raw('a'), visibleWhere)} as place from alerts a where a.id = ${message.alert_id}
        and exists (select from alerts_zones k join zones alert_zone on alert_zone.id = k.zones_id
          where k.alerts_id = a.id and ${visibleWhere})`,
    );
    return row?.place ? [row.place] : [];
  }
  const machines = await readMachines({ db }, message);
  const ids = machines.map(({ id }) => id);
  const visibleMachines = new Set(await visibleIds(db, model.require('machines'), caller, ids));
  return machines.filter(({ id }) => visibleMachines.has(id)).map(({ serial_number }) => serial_number);
}

/** Machines of the alert that allow the channel. */
const readMachines = ({ db }: Pick<NotifyServices, 'db'>, { alert_id, channel }: LeasedAlertMessage) =>
  db.select(
    { id: pg.integer, serial_number: pg.text },
    sql`
    select m.id, m.serial_number from alerts_machines k join machines m on m.id = k.machines_id
    where k.alerts_id = ${alert_id} and m.deleted_at is null
    and ${channel === 'email' ? sql`m.allow_email` : sql`m.allow_sms`} order by m.serial_number`,
  );

/**
 * Whether the message became obsolete while it waited. A message about a firing is obsolete once the alert is closed, a
 * reminder once the alert is no longer open, and a message about the closing if the user neither reported the problem
 * nor was notified of the alert.
 */
async function isObsolete(
  { db }: Pick<NotifyServices, 'db'>,
  { alert_id, event, channel, user_id, state }: LeasedAlertMessage,
): Promise<boolean> {
  if (event === 'fired') return state === 'closed';
  if (event === 'reminder') return state !== 'open';
  const firing = await db.selectOne(
    { outcome: pg.text.nullable },
    sql`select outcome from jobs where kind = ${alertMessageKind}
      and dedupe_key = ${[alert_id, 'fired', channel, user_id].join('/')}::text and outcome = 'sent'
      union all select 'sent' from alert_notes
      where alert_id = ${alert_id} and kind = 'reported' and user_id = ${user_id}::int`,
  );
  return firing === undefined;
}

/** Prints when the alert was opened, in the local time of its location. */
const openingTimeText = (language: Language, { opened_at, zone }: LeasedAlertMessage): string =>
  new Intl.DateTimeFormat(language, { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }).format(opened_at);
