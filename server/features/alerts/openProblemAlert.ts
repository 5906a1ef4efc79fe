/** Problem reports about machines: an alert without a rule, and messages to the responsible users. */
import { sql } from 'drizzle-orm';
import type { problemKinds } from '../../../schema/entities/alerts';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { EntityModel } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { enqueueFrom } from '../../jobs/jobQueue';
import { alertMessageKind, dedupeKeySql } from './messages';

/** Maximum reports per user and hour, far above normal use. */
export const reportsPerHour = 20;
const hour = 3600;

export interface ProblemReport {
  machine: number;
  problem: (typeof problemKinds)[number];
  report: string;
  isOutOfUse: boolean;
}

interface ReportContext {
  model: EntityModel;
  /** `undefined`: somebody without an account. */
  caller: Caller | undefined;
  now: Date;
}

/**
 * Opens an alert about a problem with a machine, and returns its id.
 * @throws 404 if the machine has been deleted, 429 for too many reports
 */
export async function openProblemAlert(
  tx: Queries,
  { model, caller, now }: ReportContext,
  { machine, problem, report, isOutOfUse }: ProblemReport,
): Promise<number> {
  if (caller) await requireReportRate(tx, caller, now);
  const openedAtSql = sql`${now.toISOString()}::timestamptz`;
  const severity = isOutOfUse ? 'critical' : 'warning';
  const alert = await tx.selectOne(
    { id: pg.integer, client_id: pg.integer, location_id: pg.integer.nullable },
    sql`
    insert into alerts (client_id, location_id, metric, severity, code, opened_at)
    select f.client_id, m.location_id, 'reported', ${severity}, ${problem}, ${openedAtSql} from machines m
    join fleets f on f.id = m.fleet_id
    where m.id = ${machine} and m.deleted_at is null for key share of m returning id, client_id, location_id`,
  );
  if (!alert) throw ApiError.notFound();
  const { id, ...place } = alert;
  await tx.rows(sql`insert into alerts_machines (alerts_id, machines_id) values (${id}, ${machine})`);
  await tx.rows(sql`
    insert into alert_notes (alert_id, user_id, name, kind, text, at)
    select ${id}::int, u.id, left(concat_ws(' ', u.first_name, u.last_name), 130), 'reported', ${report}, ${openedAtSql}
    from (select ${caller?.userId ?? null}::int as id) reporter left join users u using (id)`);
  const m = sql.raw('m');
  await enqueueFrom(
    tx,
    alertMessageKind,
    sql`select gen_random_uuid(), ${dedupeKeySql(m)}, to_jsonb(m), null::bytea, ${openedAtSql}, now() from (
      select ${id}::int as alert_id, 'fired' as event, channel, user_id, null::jsonb as body
      from (${responsibleUsersSql(machine)}) responsible cross join unnest(array['email', 'sms']) as channel
      where user_id is distinct from ${caller?.userId ?? null}::int) m`,
  );
  await writeAuditEntries(tx, { entity: model.require('alerts'), by: caller, action: 'create' }, [
    { id, after: { ...place, machine_ids: [machine], metric: 'reported', severity, problem, report } },
  ]);
  return id;
}

/** Throws 429 if the caller has reported too many problems in the last hour. */
async function requireReportRate(tx: Queries, { userId }: Caller, now: Date): Promise<void> {
  const since = new Date(now.getTime() - hour * 1000).toISOString();
  // `remaining`: seconds until the report is an hour old.
  const earlierAlerts = await tx.select(
    { remaining: pg.double },
    sql`
    select extract(epoch from a.opened_at - ${since}::timestamptz)::float8 as remaining from alerts a
    join alert_notes n on n.alert_id = a.id and n.kind = 'reported'
    where a.metric = 'reported' and a.opened_at > ${since}::timestamptz and n.user_id = ${userId}
    order by a.opened_at desc limit ${reportsPerHour}::int`,
  );
  const oldestAlert = earlierAlerts[reportsPerHour - 1];
  if (oldestAlert) throw ApiError.tooMany(Math.max(1, oldestAlert.remaining));
}

/**
 * SQL: users who may acknowledge the machine's alerts and are closest to it: users of its location, fleet or client,
 * else of its partners, else of its country, else with scope `all`. Visibility is checked again when a message is sent.
 */
const responsibleUsersSql = (machine: number) => sql`
  select user_id from (
    select u.id as user_id, distance, min(distance) over () as nearest from users u cross join lateral (
      select min(case r.scope when 'site' then 0 when 'client' then 0 when 'partner' then 1 when 'country' then 2 else 3
      end) as distance
      from users_roles ur join roles r on r.id = ur.roles_id and r.deleted_at is null
      join machines m on m.id = ${machine} join fleets f on f.id = m.fleet_id join clients c on c.id = f.client_id
      where ur.users_id = u.id and case r.scope
          when 'site' then exists (select from users_fleets k where k.users_id = u.id and k.fleets_id = m.fleet_id)
            or exists (select from users_locations k where k.users_id = u.id and k.locations_id = m.location_id)
          when 'client' then u.client_id = c.id
          when 'partner' then u.client_id = c.id or exists (select from users_clients k where k.users_id = u.id
          and k.clients_id = c.id)
          when 'country' then exists (select from users_countries k where k.users_id = u.id
          and k.countries_id = c.country_id)
          when 'all' then true else false end
        and exists (select from roles_permissions rp join permissions p on p.id = rp.permissions_id
        and p.deleted_at is null
          where rp.roles_id = r.id and p.code_name = 'alerts.acknowledge')
    ) responsibility where u.deleted_at is null and distance is not null
  ) candidate where distance = nearest`;
