/**
 * Carries messages about alerts out. Any process may: whoever takes a message puts it off for the time that sending may last, so that nobody else takes it, and it
 * is taken again if its sender ends on the way.
 */
import { sql } from 'drizzle-orm';
import type { Services } from '../services';
import type { Outcome, Taken } from './messages';
import { tellPerson } from './person';
import { Forbidden } from './post';
import { SmsRefused } from './sms';
import { deliver } from './webhook';

/** Seconds that sending one may last before it is anybody's again. */
const lease = 120;
/** Seconds until the next try, after each that failed; then it is given up. */
export const backOff = [30, 120, 600, 1800, 7200, 21_600, 43_200];
const batch = 20;

type Parts = Pick<Services, 'db' | 'mail' | 'env' | 'log' | 'now'>;

/** Sends what is due; gives how many messages were taken. */
export async function sendDue(services: Parts): Promise<number> {
  let taken = 0;
  for (;;) {
    const messages = await take(services);
    await Promise.all(messages.map((message) => settle(services, message)));
    taken += messages.length;
    if (messages.length < batch) return taken;
  }
}

async function take({ db, now }: Parts): Promise<Taken[]> {
  const moment = sql`${now().toISOString()}::timestamptz`;
  return db.rows<Taken>(sql`
    with mine as (
      update alert_messages set due_at = ${moment} + ${lease}::int * interval '1 second', tries = tries + 1
      where id in (select id from alert_messages where due_at <= ${moment} order by due_at limit ${batch}::int for update skip locked)
      returning id, alert_id, event, channel, user_id, payload, created_at, tries
    )
    select mine.*, a.state, a.metric, a.value, a.code, a.opened_at, r.name as rule, n.name as reporter, n.text as report, r.webhook_url, k.secret, l.name as place,
      coalesce(l.time_zone, 'Europe/Berlin') as zone, c.sms_activation
    from mine join alerts a on a.id = mine.alert_id join clients c on c.id = a.client_id left join alert_rules r on r.id = a.rule_id
    left join alert_notes n on n.alert_id = a.id and n.kind = 'reported' left join locations l on l.id = a.location_id left join alert_rule_secrets k on k.rule_id = r.id order by a.id`);
}

async function settle(services: Parts, message: Taken): Promise<void> {
  try {
    await finish(services, message, { outcome: await carry(services, message) });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const wait = error instanceof Forbidden || error instanceof SmsRefused ? undefined : backOff[message.tries - 1];
    services.log.warn({ err: error, delivery: message.id, channel: message.channel, tries: message.tries }, 'a message about an alert could not be sent');
    await finish(services, message, { error: text.slice(0, 500), wait }).catch((err: unknown) =>
      services.log.warn({ err }, 'what became of a message about an alert could not be kept'),
    );
  }
}

async function finish({ db, now }: Parts, { id }: Taken, { outcome, error = null, wait }: { outcome?: Outcome; error?: string | null; wait?: number }) {
  const moment = sql`${now().toISOString()}::timestamptz`;
  if (wait !== undefined)
    await db.rows(sql`update alert_messages set due_at = ${moment} + ${wait}::int * interval '1 second', error = ${error} where id = ${id}::uuid`);
  else
    await db.rows(sql`update alert_messages set due_at = null, outcome = ${outcome ?? 'failed'}, done_at = ${moment}, error = ${error} where id = ${id}::uuid`);
}

async function carry(services: Parts, message: Taken): Promise<Outcome> {
  if (message.channel !== 'webhook') return tellPerson(services, message);
  const { webhook_url: url, secret, payload, id } = message;
  if (!url || !secret || !payload) return 'not_wanted';
  const link = `${services.env.publicUrl}/alerts/${message.alert_id}`;
  await deliver({ id, url, secret, payload: { ...payload, url: link }, now: services.now(), allowed: services.env.webhookAllow });
  return 'sent';
}
