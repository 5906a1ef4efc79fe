/** Sends messages about alerts to users, to public reporters, and to webhooks. */
import { sql } from 'drizzle-orm';
import type { Services } from '../../context/services';
import type { LeasedJob } from '../../jobs/jobQueue';
import type { JobKind, JobResult } from '../../jobs/jobWorker';
import { timeZoneSql } from '../../telemetry/timeline/days';
import { type AlertMessage, alertMessageKind, alertToSendShape } from './messages';
import { notifyPublicReporter } from './notifyPublicReporter';
import { notifyUser } from './notifyUser';
import { ForbiddenAddress } from './postPinned';
import { SmsRefused } from './sendSms';
import { sendWebhook } from './sendWebhook';

/** Seconds before each retry. A message that still fails after the last one becomes a dead letter. */
export const backOffSeconds = [30, 120, 600, 1800, 7200, 21_600, 43_200];

type AlertMailServices = Pick<Services, 'db' | 'mail' | 'env' | 'log' | 'model' | 'now'>;

export const alertMessageJobs = (services: AlertMailServices): JobKind<AlertMessage> => ({
  kind: alertMessageKind,
  concurrency: 20,
  backOff: (attempts) => backOffSeconds[attempts - 1],
  isHopeless: (error) => error instanceof ForbiddenAddress || error instanceof SmsRefused,
  run: (job) => send(services, job),
});

async function send(services: AlertMailServices, job: LeasedJob<AlertMessage>): Promise<JobResult> {
  const { id, payload } = job;
  const { alert_id, channel, body } = payload;
  const alert = await services.db.selectOne(
    alertToSendShape,
    sql`
      select a.state, a.metric, a.value, a.code, a.opened_at, r.name as rule, n.name as reporter, n.text as report,
        r.webhook_url, k.secret, l.name as place, ${timeZoneSql(sql`l`)} as zone, c.sms_activation
      from alerts a join clients c on c.id = a.client_id left join alert_rules r on r.id = a.rule_id
      left join alert_notes n on n.alert_id = a.id and n.kind = 'reported' left join locations l on l.id = a.location_id
      left join alert_rule_secrets k on k.rule_id = r.id where a.id = ${alert_id}::int`,
  );
  if (!alert) return { outcome: 'over' };
  if (channel === 'email' && payload.user_id === null) return notifyPublicReporter(services, { id, alert_id });
  if (channel !== 'webhook') return notifyUser(services, { ...job, ...payload, ...alert });
  const { webhook_url: url, secret } = alert;
  if (!url || !secret || !body) return { outcome: 'not_wanted' };
  await sendWebhook({
    id,
    url,
    secret,
    payload: { ...body, url: `${services.env.publicUrl}/alerts/${alert_id}` },
    now: services.now(),
    allowedHosts: services.env.webhookAllow,
  });
  return { outcome: 'sent' };
}
