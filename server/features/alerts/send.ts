/** Carries messages about alerts out: to a person, or to a webhook. */
import { sql } from 'drizzle-orm';
import type { Services } from '../../context/services';
import { deliverDue, type OutboxHandler } from '../../jobs/outbox';
import type { AlertMessageOutcome, LeasedAlertMessage } from './messages';
import { notifyUser } from './person';
import { Forbidden } from './pinnedPost';
import { SmsRefused } from './sms';
import { deliver } from './webhook';

export const backOff = [30, 120, 600, 1800, 7200, 21_600, 43_200];
const batch = 20;

type AlertMailServices = Pick<Services, 'db' | 'mail' | 'env' | 'log' | 'model' | 'now'>;

const messages: Omit<OutboxHandler<LeasedAlertMessage, AlertMessageOutcome>, 'carry'> = {
  table: 'alert_messages',
  failed: 'a message about an alert could not be sent',
  lease: 120,
  backOff,
  batch,
  atOnce: batch,
  read: (mine) => sql`
    select m.id, m.alert_id, m.event, m.channel, m.user_id, m.payload, m.created_at, m.tries, a.state, a.metric,
    a.value, a.code, a.opened_at,
      r.name as rule, n.name as reporter, n.text as report, r.webhook_url, k.secret, l.name as place,
      coalesce(l.time_zone, 'Europe/Berlin') as zone, c.sms_activation
    from ${mine} m join alerts a on a.id = m.alert_id join clients c on c.id = a.client_id
    left join alert_rules r on r.id = a.rule_id
    left join alert_notes n on n.alert_id = a.id and n.kind = 'reported' left join locations l on l.id = a.location_id
    left join alert_rule_secrets k on k.rule_id = r.id order by a.id`,
  isHopeless: (error) => error instanceof Forbidden || error instanceof SmsRefused,
};

/** Sends what is due; gives how many messages were taken. */
export const sendDue = (services: AlertMailServices): Promise<number> =>
  deliverDue(services, { ...messages, carry: (message) => carry(services, message) });

async function carry(services: AlertMailServices, message: LeasedAlertMessage): Promise<AlertMessageOutcome> {
  if (message.channel !== 'webhook') return notifyUser(services, message);
  const { webhook_url: url, secret, payload, id } = message;
  if (!url || !secret || !payload) return 'not_wanted';
  const link = `${services.env.publicUrl}/alerts/${message.alert_id}`;
  await deliver({
    id,
    url,
    secret,
    payload: { ...payload, url: link },
    now: services.now(),
    allowed: services.env.webhookAllow,
  });
  return 'sent';
}
