/** Generates the demo's alert rules, and the alerts that they would have opened in the past. */
import { sql } from 'drizzle-orm';
import { entities } from '../../schema';
import { createEntityModel } from '../../server/access/entityModel';
import type { Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { findPastAlerts } from '../../server/features/alerts/findPastAlerts';
import { systemCaller } from '../../server/features/alerts/plannedCleaning';
import { demoLogins } from './people';

/** Maximum past alerts; only the latest are inserted. */
const maxAlerts = 25;
/** Seconds of silence before an alert; longer than a night. */
const silenceSeconds = 12 * 3600;

const loginOf = (role: string) => demoLogins.find((login) => login.role === role)?.email ?? '';

/**
 * Inserts two rules for the client of the demo's Customer Admin, with past alerts. The demo's Site Manager has
 * acknowledged every other alert.
 */
export async function seedAlerts(tx: Queries, now: Date): Promise<void> {
  const admin = await tx.selectOne(
    { id: pg.integer, client_id: pg.integer },
    sql`select id, client_id from users where email = ${loginOf('Customer Admin')} and client_id is not null`,
  );
  if (!admin) return;
  const createdAt = new Date(now.getTime() - 40 * 86_400_000).toISOString();
  const rules = await tx.select(
    { id: pg.integer, metric: pg.text },
    sql`
    insert into alert_rules (name, client_id, metric, threshold, hold_time, severity, quiet_from, quiet_to, tell_closed,
    created_at, updated_at)
    select name, ${admin.client_id}::int, metric, threshold, hold_time, severity, '21:00', '06:00', metric = 'offline',
    ${createdAt}::timestamptz, ${createdAt}::timestamptz
    from (values ('Not heard of for half a day', 'offline', null::int, ${silenceSeconds}::int, 'warning'),
    ('Service within three days', 'service_due', 3, 0, 'info'))
      as rule(name, metric, threshold, hold_time, severity) returning id, metric`,
  );
  await tx.rows(
    sql`insert into alert_rules_users (alert_rules_id, users_id)
      select unnest(${sql.param(rules.map(({ id }) => id))}::int[]), ${admin.id}::int`,
  );
  const rule = rules.find(({ metric }) => metric === 'offline')?.id as number;
  const spec = {
    client_id: admin.client_id,
    fleet_id: null,
    location_id: null,
    view_id: null,
    metric: 'offline' as const,
    state: null,
    threshold: null,
    error_code: null,
    hold_time: silenceSeconds,
  };
  const { alerts } = await findPastAlerts({ db: tx, model: createEntityModel(entities, {}) }, spec, {
    caller: systemCaller,
    from: new Date(now.getTime() - 30 * 86_400_000),
    now,
  });
  const closedAlerts = alerts.flatMap(({ at, firings }) => {
    const endTimes = firings.map(({ until }) => until);
    return endTimes.includes(null)
      ? []
      : [
          {
            at,
            until: Math.max(...endTimes.map((end) => end ?? at)),
            location_id: firings[0]?.location_id,
            machines: firings.map(({ id }) => id),
          },
        ];
  });
  for (const [nth, { at, until, location_id, machines }] of closedAlerts.slice(-maxAlerts).entries()) {
    const isAcknowledged = nth % 2 === 0;
    const actorName = sql`(select concat_ws(' ', first_name, last_name) from users
      where email = ${loginOf('Site Manager')})`;
    const alert = await tx.selectOne(
      { id: pg.integer },
      sql`
      insert into alerts (rule_id, client_id, location_id, metric, severity, state, opened_at, closed_at,
      acknowledged_at, acknowledged_by)
      values (${rule}, ${admin.client_id}, ${location_id ?? null}::int, 'offline', 'warning', 'closed',
      to_timestamp(${at}::float8), to_timestamp(${until}::float8),
        ${isAcknowledged ? sql`to_timestamp(${(at + until) / 2}::float8)` : sql`null`},
        ${isAcknowledged ? actorName : sql`null`}) returning id`,
    );
    await tx.rows(
      sql`insert into alerts_machines (alerts_id, machines_id)
        select ${alert?.id}::int, unnest(${sql.param(machines)}::int[])`,
    );
    if (isAcknowledged)
      await tx.rows(
        sql`insert into alert_notes (alert_id, name, kind, at) select ${alert?.id}::int, ${actorName}, 'acknowledged',
          to_timestamp(${(at + until) / 2}::float8)`,
      );
  }
}
