/** Enqueues alert messages, in the transaction of the alert. */
import { type SQL, sql } from 'drizzle-orm';
import type { AlertKind } from '../../../schema/entities/alerts';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { enqueueFrom, type LeasedJob } from '../../jobs/jobQueue';
import { timeZoneSql } from '../../telemetry/timeline/days';
import { afterQuietHours } from './quietHours';

/** Events of an alert that people are notified of. */
export const alertEvents = ['fired', 'reminder', 'closed'] as const;
export type AlertEvent = (typeof alertEvents)[number];
export type Channel = 'email' | 'sms' | 'webhook';

/** Payload of a job of the kind `alert_message`. */
export interface AlertMessage {
  alert_id: number;
  event: AlertEvent;
  channel: Channel;
  /** Null for a webhook, and for the mail to somebody who reported from the public page. */
  user_id: number | null;
  /** Payload of a webhook: the alert at the time of the event. */
  body: Record<string, unknown> | null;
}

export const alertMessageKind = 'alert_message';

/**
 * SQL: dedupe key of a message `m` (`AlertMessage`). A recipient gets each event once per channel, and reminders
 * once per `reminderTime`: of all that are due in quiet hours, one is sent at the end of these hours.
 */
export const dedupeKeySql = (m: SQL, reminderTime?: SQL): SQL =>
  sql`concat_ws('/', ${m}.alert_id, ${m}.event, ${m}.channel, ${m}.user_id ${
    reminderTime &&
    sql`, case when ${m}.event = 'reminder'
      then to_char(${reminderTime} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end`
  })`;

/** Final outcome of a message. */
export type AlertMessageOutcome = 'sent' | 'not_wanted' | 'over';

/** Current state of an alert, when a message about it is sent. */
export const alertToSendShape = {
  state: pg.text.as<'open' | 'acknowledged' | 'closed'>(),
  metric: pg.text.as<AlertKind>(),
  value: pg.double.nullable,
  code: pg.text.nullable,
  opened_at: pg.timestamptz,
  /** Null for a reported problem. */
  rule: pg.text.nullable,
  reporter: pg.text.nullable,
  report: pg.text.nullable,
  webhook_url: pg.text.nullable,
  secret: pg.bytea.nullable,
  place: pg.text.nullable,
  zone: pg.text,
  sms_activation: pg.boolean,
};

/** A leased message with the current alert. */
export type LeasedAlertMessage = Pick<LeasedJob, 'id' | 'created_at'> & AlertMessage & RowOf<typeof alertToSendShape>;

const audienceShape = {
  id: pg.integer,
  users: pg.integer.array,
  by_email: pg.boolean,
  by_sms: pg.boolean,
  has_webhook: pg.boolean,
  quiet_from: pg.text.nullable,
  quiet_to: pg.text.nullable,
  zone: pg.text,
  body: pg.json<Record<string, unknown>>(),
};

/** Enqueues the messages about alerts. `notifyUser` decides later whether a recipient gets one. */
export async function enqueueAlertMessages(
  tx: Queries,
  alertIds: Record<AlertEvent, readonly number[]>,
  now: Date,
): Promise<void> {
  const ids = [...new Set(Object.values(alertIds).flat())];
  if (ids.length === 0) return;
  const alerts = new Map((await readAudiences(tx, ids)).map((alert) => [alert.id, alert]));
  const rows = alertEvents.flatMap((event) =>
    alertIds[event].flatMap((id) => buildMessages(alerts.get(id), event, now)),
  );
  if (rows.length === 0) return;
  const r = sql.raw('r');
  await enqueueFrom(
    tx,
    alertMessageKind,
    sql`select gen_random_uuid(), ${dedupeKeySql(r, sql`r.run_at`)}, to_jsonb(r) - 'run_at', null::bytea, r.run_at,
        now()
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as r(alert_id int, event text, channel text, user_id int, body jsonb, run_at timestamptz)`,
  );
}

/** Enqueues the messages to the reporter of a problem that somebody else, the user `closer`, closed. */
export async function enqueueReporterMessages(
  tx: Queries,
  { id, closer, at }: { id: number; closer: number; at: Date },
): Promise<void> {
  const m = sql.raw('m');
  await enqueueFrom(
    tx,
    alertMessageKind,
    sql`select gen_random_uuid(), ${dedupeKeySql(m)}, to_jsonb(m), null::bytea, ${at.toISOString()}::timestamptz,
      now() from (
        select n.alert_id, 'closed' as event, channel, n.user_id, null::jsonb as body from alert_notes n
        cross join unnest(array['email', 'sms']) as channel
        where n.alert_id = ${id}::int and n.kind = 'reported' and n.user_id <> ${closer}::int
        union all select alert_id, 'closed', 'email', null, null from public_reports
        where alert_id = ${id}::int and email is not null
      ) m`,
  );
}

function buildMessages(
  alert: RowOf<typeof audienceShape> | undefined,
  event: AlertEvent,
  now: Date,
): (AlertMessage & { run_at: Date })[] {
  if (!alert) return [];
  const { id, users, by_email, by_sms, has_webhook, quiet_from, quiet_to, zone, body } = alert;
  const personalRunAt = afterQuietHours(now, { from: quiet_from, to: quiet_to, zone });
  const channels: Channel[] = [...(by_email ? ['email' as const] : []), ...(by_sms ? ['sms' as const] : [])];
  const messages = users.flatMap((user_id) =>
    channels.map((channel) => ({ alert_id: id, event, channel, user_id, body: null, run_at: personalRunAt })),
  );
  if (!has_webhook) return messages;
  const webhookBody = { event: `alert_${event}`, at: now, ...body };
  // Webhooks ignore quiet hours.
  return [...messages, { alert_id: id, event, channel: 'webhook', user_id: null, body: webhookBody, run_at: now }];
}

const readAudiences = (tx: Queries, ids: readonly number[]) =>
  tx.select(
    audienceShape,
    sql`
    select a.id, r.by_email, r.by_sms, r.webhook_url is not null as has_webhook, r.quiet_from, r.quiet_to,
    ${timeZoneSql(sql`l`)} as zone,
      array(select k.users_id from alert_rules_users k join users u on u.id = k.users_id and u.deleted_at is null
      where k.alert_rules_id = r.id order by 1) as users,
      json_build_object(
        'alert', json_build_object('id', a.id, 'metric', a.metric, 'severity', a.severity, 'state', a.state, 'value',
        a.value, 'code', a.code,
          'opened_at', a.opened_at, 'closed_at', a.closed_at),
        'rule', json_build_object('id', r.id, 'name', r.name),
        'location', case when l.id is not null then json_build_object('id', l.id, 'name', l.name) end,
        'machines', (select coalesce(json_agg(json_build_object('id', m.id, 'serial_number', m.serial_number)
        order by m.id), '[]')
          from alerts_machines k join machines m on m.id = k.machines_id where k.alerts_id = a.id),
        'floor', (select json_build_object('id', f.id, 'name', f.name) from floors f where f.id = a.floor_id),
        'zones', (select coalesce(json_agg(json_build_object('id', z.id, 'name', z.name) order by z.id), '[]')
          from alerts_zones k join zones z on z.id = k.zones_id where k.alerts_id = a.id)) as body
    from alerts a join alert_rules r on r.id = a.rule_id left join locations l on l.id = a.location_id
    where a.id = any(${sql.param([...ids])}::int[]) order by a.id`,
  );
