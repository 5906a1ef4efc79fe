/** SQL: findings that need a person, one row each, within the caller's scope and permissions. */

import { type SQL, sql } from 'drizzle-orm';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import { attentionList, type FilteredList } from '../../../schema/features/dashboard';
import { failureDays, type InboxKind, serviceWarningDays } from '../../../schema/features/inbox';
import { QueryContext, table } from '../../access/entityModel';
import { hasPermission } from '../../context/caller';
import { matchWhere } from '../../crud/query/selectStatements';
import { neverCleanedValue } from '../alerts/summaryText';
import { importKind } from '../imports/enqueueStep';
import { cleaningFindingsSql } from './cleaningFindingsSql';
import type { FindingsRequest } from './findingsRequest';

/**
 * SQL: rows `(subject, occurrence, cause, severity, location_id, client_id, since, day, name, value, detail)`, where
 * `severity` is 0 to 2. `undefined` if the caller may not see findings of that kind.
 */
export function findingsSql(kind: InboxKind, request: FindingsRequest): SQL | undefined {
  const { permissions, build } = kinds[kind];
  return permissions.every((code) => hasPermission(request.caller, code)) ? build(request) : undefined;
}

const kinds: Record<
  InboxKind,
  { permissions: readonly string[]; build: (request: FindingsRequest) => SQL | undefined }
> = {
  reported: { permissions: ['alerts.list'], build: (request) => alertFindingsSql(request, sql`m.metric = 'reported'`) },
  alert: { permissions: ['alerts.list'], build: (request) => alertFindingsSql(request, sql`m.metric <> 'reported'`) },
  silent: { permissions: ['machines.list'], build: silentFindingsSql },
  cleaning: { permissions: ['machines.list', 'locations.list'], build: cleaningFindingsSql },
  service: { permissions: ['machines.list'], build: serviceFindingsSql },
  device: { permissions: ['trackers.list'], build: deviceFindingsSql },
  import: { permissions: ['imports.list'], build: importFindingsSql },
  job: { permissions: ['audit.list'], build: jobFindingsSql },
};

/** SQL: what the from and where clauses of a list contain; its rows are `m`. */
function listFilterSql(
  { model, caller }: FindingsRequest,
  { resource, filter }: Omit<FilteredList, 'resource'> & { resource: string },
) {
  const entity = model.require(resource);
  const query = {
    ...parseListQuery(''),
    filter: Object.entries(filter).map(([path, value]) => ({ path, values: String(value).split(',') })),
  };
  return { from: sql`${table(entity)} m`, where: matchWhere({ entity, caller, query }, new QueryContext()) };
}

function alertFindingsSql(request: FindingsRequest, metric: SQL): SQL {
  const { from, where } = listFilterSql(request, attentionList('alerts', request.now));
  const machines = request.model.require('machines');
  const visibleWhere = matchWhere(
    { entity: machines, caller: request.caller, query: parseListQuery('') },
    new QueryContext('v'),
  );
  return sql`
    select a.id::text as subject, '' as occurrence,
      a.metric || case when a.metric in ('error', 'state', 'reported') then coalesce('/' || a.code, '')
        when a.metric = 'zone_uncleaned' and a.value = ${sql.raw(String(neverCleanedValue))} then '/never' else '' end
      as cause, case a.severity when 'critical' then 2 when 'warning' then 1 else 0 end as severity, a.location_id,
      a.client_id, a.opened_at as since,
      case when a.metric in ('service_due', 'zone_uncleaned') then a.code::date end as day,
      coalesce(alert_machine.name, (select string_agg(z.name, ', ' order by z.name) from alerts_zones k
        join zones z on z.id = k.zones_id where k.alerts_id = a.id)) as name,
      a.value, case when a.metric = 'reported' then (select left(n.text, 200) from alert_notes n
        where n.alert_id = a.id and n.kind = 'reported' limit 1) end as detail
    from (select m.* from ${from} where ${where} and ${metric}) a left join lateral (
      select case when count(*) = 1 then min(m.serial_number) end as name from alerts_machines k
      join machines m on m.id = k.machines_id where k.alerts_id = a.id and ${visibleWhere}
    ) alert_machine on true`;
}

/** SQL condition: no open or acknowledged alert reports the same about machine `m`, or the caller sees no alerts. */
const withoutAlertWhere = ({ caller }: FindingsRequest, metric: 'offline' | 'service_due'): SQL =>
  hasPermission(caller, 'alerts.list')
    ? sql`not exists (select from alerts_machines k join alerts a on a.id = k.alerts_id
        where k.machines_id = m.id and a.metric = ${metric} and a.state <> 'closed' and a.deleted_at is null)`
    : sql`true`;

function silentFindingsSql(request: FindingsRequest): SQL {
  const { from, where } = listFilterSql(request, attentionList('silent', request.now));
  return sql`
    select m.id::text as subject, machine_state.status_since::text as occurrence, '' as cause, 1 as severity,
      m.location_id, f.client_id, machine_state.status_since as since, null::date as day, m.serial_number as name,
      null::float8 as value, null::text as detail
    from ${from} join machines_state machine_state on machine_state.id = m.id join fleets f on f.id = m.fleet_id
    where ${where} and ${withoutAlertWhere(request, 'offline')}`;
}

function serviceFindingsSql(request: FindingsRequest): SQL {
  const { from, where } = listFilterSql(request, attentionList('service_due', request.now));
  const today = request.now.toISOString().slice(0, 10);
  const lateWhere = sql`m.next_service_due < ${today}::date - ${serviceWarningDays}::int`;
  return sql`
    select m.id::text as subject, m.next_service_due || case when ${lateWhere} then ' late' else '' end as occurrence,
      '' as cause, case when ${lateWhere} then 1 else 0 end as severity, m.location_id, f.client_id,
      null::timestamptz as since, m.next_service_due as day, m.serial_number as name, null::float8 as value,
      null::text as detail
    from ${from} join fleets f on f.id = m.fleet_id
    where ${where} and ${withoutAlertWhere(request, 'service_due')}`;
}

/** SQL: columns of findings that belong to no site. */
const noSiteColumns = sql`null::int as location_id, null::int as client_id`;

function deviceFindingsSql(request: FindingsRequest): SQL {
  const { from, where } = listFilterSql(request, {
    resource: 'trackers',
    filter: { assigned: false, is_dummy: false },
  });
  return sql`
    select m.id::text as subject, '' as occurrence, '' as cause, 0 as severity, ${noSiteColumns}, d.first_seen as since,
      null::date as day, m.refno as name, null::float8 as value, d.protocol as detail
    from discovered_trackers d join ${from} on m.id = d.tracker_id
    where ${where} and not exists (select from trackers behind where behind.gateway_id = m.id)`;
}

const failuresSinceSql = (now: Date): SQL =>
  sql`${new Date(now.getTime() - failureDays * 86_400_000).toISOString()}::timestamptz`;

function importFindingsSql(request: FindingsRequest): SQL {
  const { from, where } = listFilterSql(request, { resource: 'imports', filter: { state: 'failed' } });
  return sql`
    select m.id::text as subject, coalesce(m.finished_at::text, '') as occurrence, '' as cause, 1 as severity,
      ${noSiteColumns}, coalesce(m.finished_at, m.created_at) as since, null::date as day, m.file_name as name,
      null::float8 as value, null::text as detail
    from ${from} where ${where} and m.created_at > ${failuresSinceSql(request.now)}`;
}

/** SQL: background work that was given up, except imports; `undefined` for callers without scope `all`. */
function jobFindingsSql({ caller, now }: FindingsRequest): SQL | undefined {
  if (!caller.scopes.has('all')) return undefined;
  return sql`
    select j.id::text as subject, '' as occurrence, j.kind as cause, 1 as severity, ${noSiteColumns},
      j.done_at as since, null::date as day, null::text as name, null::float8 as value, left(j.error, 200) as detail
    from jobs j where j.state = 'dead' and j.done_at > ${failuresSinceSql(now)} and j.kind <> ${importKind}`;
}
