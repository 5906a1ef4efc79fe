/** Puts messages about alerts on their way, in the transaction of what they tell. */
import { sql } from 'drizzle-orm';
import type { AlertKind } from '../../../schema/entities/alerts';
import type { Queries } from '../../db/core/database';
import { zoneOf } from '../../telemetry/timeline/days';
import { afterQuietHours } from './quiet';

export const alertEvents = ['fired', 'reminder', 'closed'] as const;
export type AlertEvent = (typeof alertEvents)[number];
export type Channel = 'email' | 'sms' | 'webhook';

/** A message that was taken to be sent. */
export interface LeasedAlertMessage {
  id: string;
  alert_id: number;
  event: AlertEvent;
  channel: Channel;
  user_id: number | null;
  payload: Record<string, unknown> | null;
  created_at: Date;
  tries: number;
  /** Of the alert, as it is now. */
  state: 'open' | 'acknowledged' | 'closed';
  metric: AlertKind;
  value: number | null;
  code: string | null;
  opened_at: Date;
  /** Null for what somebody reported. */
  rule: string | null;
  reporter: string | null;
  report: string | null;
  webhook_url: string | null;
  secret: Uint8Array | null;
  place: string | null;
  zone: string;
  sms_activation: boolean;
}

/** What became of a message that need not be tried again. */
export type AlertMessageOutcome = 'sent' | 'not_wanted' | 'over';

interface AlertAudienceRow {
  id: number;
  users: number[];
  by_email: boolean;
  by_sms: boolean;
  has_webhook: boolean;
  quiet_from: string | null;
  quiet_to: string | null;
  zone: string;
  payload: Record<string, unknown>;
}

/** Writes the messages of these alerts. Whether somebody really gets one is asked again when it is sent. */
export async function enqueueAlertMessages(
  tx: Queries,
  told: Record<AlertEvent, readonly number[]>,
  now: Date,
): Promise<void> {
  const ids = [...new Set(Object.values(told).flat())];
  if (ids.length === 0) return;
  const alerts = new Map((await alertsToTell(tx, ids)).map((alert) => [alert.id, alert]));
  const rows = alertEvents.flatMap((event) => told[event].flatMap((id) => messagesOf(alerts.get(id), event, now)));
  if (rows.length === 0) return;
  await tx.rows(sql`
    insert into alert_messages (alert_id, event, channel, user_id, payload, created_at, due_at)
    select alert_id, event, channel, user_id, payload, created_at, due_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as r(alert_id int, event text, channel text, user_id int, payload jsonb, created_at timestamptz,
      due_at timestamptz)`);
}

function messagesOf(alert: AlertAudienceRow | undefined, event: AlertEvent, now: Date) {
  if (!alert) return [];
  const { id, users, by_email, by_sms, has_webhook, quiet_from, quiet_to, zone, payload } = alert;
  const personal = afterQuietHours(now, { from: quiet_from, to: quiet_to, zone });
  const shared = { alert_id: id, event, created_at: now, payload: null };
  const channels: Channel[] = [...(by_email ? ['email' as const] : []), ...(by_sms ? ['sms' as const] : [])];
  return [
    ...users.flatMap((user_id) => channels.map((channel) => ({ ...shared, channel, user_id, due_at: personal }))),
    // Programs sleep at no time.
    ...(has_webhook
      ? [
          {
            ...shared,
            channel: 'webhook' as const,
            user_id: null,
            due_at: now,
            payload: { event: `alert_${event}`, at: now, ...payload },
          },
        ]
      : []),
  ];
}

const alertsToTell = (tx: Queries, ids: readonly number[]) =>
  tx.rows<AlertAudienceRow>(sql`
    select a.id, r.by_email, r.by_sms, r.webhook_url is not null as has_webhook, r.quiet_from, r.quiet_to,
    ${zoneOf(sql`l`)} as zone,
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
          from alerts_machines k join machines m on m.id = k.machines_id where k.alerts_id = a.id)) as payload
    from alerts a join alert_rules r on r.id = a.rule_id left join locations l on l.id = a.location_id
    where a.id = any(${sql.param([...ids])}::int[]) order by a.id`);
