/** Groups findings by cause and site: one statement per kind, whatever the number of findings. */
import { type SQL, sql } from 'drizzle-orm';
import type { Printable } from '../../../schema/endpoints/endpoint';
import type { InboxItem, InboxResult } from '../../../schema/endpoints/inbox';
import { alertSeverities } from '../../../schema/entities/alert_rules';
import type { AlertKind } from '../../../schema/entities/alerts';
import {
  compareInboxItems,
  criticalSilence,
  type InboxKey,
  type InboxKind,
  inboxActsOf,
  inboxKinds,
  type inboxPlaces,
  maxInboxItems,
  maxSitesPerCause,
  printInboxKey,
} from '../../../schema/features/inbox';
import { QueryContext } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import { type Caller, hasPermission } from '../../context/caller';
import type { Services } from '../../context/services';
import { pg, type RowOf } from '../../db/core/rowShape';
import { findingText } from '../alerts/summaryText';
import { createCachedFindings } from './cachedFindings';
import type { FindingsRequest } from './findingsRequest';
import { findingsSql } from './findingsSql';

/** SQL: the findings with their marks; `is_aside`: snoozed by the caller, or assigned to another user. */
export const findingsWithMarksSql = (kind: InboxKind, findings: SQL, { caller, now }: FindingsRequest): SQL => sql`
  select f.*, snoozed.until, marked.assignee_id, marked.by_name,
    (snoozed.id is not null or (marked.id is not null and marked.assignee_id is distinct from ${caller.userId}::int))
    as is_aside
  from (${findings}) f
  left join inbox_marks marked on marked.kind = ${kind} and marked.subject = f.subject
    and marked.occurrence = f.occurrence and marked.snoozed_for is null
  left join inbox_marks snoozed on snoozed.kind = ${kind} and snoozed.subject = f.subject
    and snoozed.occurrence = f.occurrence and snoozed.snoozed_for = ${caller.userId}::int
    and snoozed.until > ${now.toISOString()}::timestamptz`;

const groupShape = {
  cause: pg.text,
  is_aside: pg.boolean,
  place: pg.text.as<(typeof inboxPlaces)[number]>(),
  location_id: pg.integer.nullable,
  location: pg.text.nullable,
  client_id: pg.integer.nullable,
  client: pg.text.nullable,
  count: pg.integer,
  sites: pg.integer,
  severity: pg.integer,
  since: pg.timestamptz.nullable,
  day: pg.date.nullable,
  value: pg.double.nullable,
  detail: pg.text.nullable,
  names: pg.text.array,
  subjects: pg.text.array,
  assignee: pg.text.nullable,
  assigned_by: pg.text.nullable,
  until: pg.timestamptz.nullable,
  groups: pg.integer,
};

const emptyGroups = Promise.resolve([] as RowOf<typeof groupShape>[]);

/** Maximum ids listed per item; beyond that, pages link to the list of all. */
const maxIds = 100;

function groupsSql(kind: InboxKind, findings: SQL, request: FindingsRequest, isAside: boolean): SQL {
  const { model, caller } = request;
  const severity =
    kind === 'silent' ? sql`case when count(*) >= ${criticalSilence}::int then 2 else 1 end` : sql`max(severity)`;
  const visibleSql = (name: 'locations' | 'clients') =>
    hasPermission(caller, `${name}.show`)
      ? scopeWhere(model.require(name), caller, sql.raw(name), new QueryContext(name.slice(0, 1)), true)
      : sql`false`;
  return sql`
    with marked as materialized (${findingsWithMarksSql(kind, findings, request)}),
    cause_sites as (
      select cause, is_aside, count(distinct coalesce(location_id, 0)) > ${maxSitesPerCause}::int as many from marked
      group by 1, 2
    ), grouped as (
      select cause, is_aside, case when many then null else location_id end as location_id, client_id,
        count(*)::int as count, count(distinct location_id)::int as sites, ${severity} as severity, min(since) as since,
        min(day) as day, min(value) as value, max(detail) as detail,
        (array_agg(name order by name) filter (where name is not null))[1:3] as names,
        (array_agg(subject order by subject))[1:${maxIds + 1}::int] as subjects, max(assignee_id) as assignee_id,
        max(by_name) as by_name, min(until) as until,
        bool_or(many) as many, case when count(distinct location_id) = 1 then min(location_id) end as only_location
      from marked join cause_sites using (cause, is_aside) group by 1, 2, 3, 4
    ), ranked as (
      select *, row_number() over (partition by is_aside order by severity desc, count desc,
        since nulls last, cause, location_id, client_id) as place_in_order,
        count(*) over (partition by is_aside)::int as groups
      from grouped
    )
    select r.cause, r.is_aside, case when r.location_id is not null then 'location'
        when r.many and r.client_id is not null then 'client' else 'none' end as place,
      coalesce(r.location_id, r.only_location) as location_id, locations.name as location, r.client_id,
      clients.name as client, r.count, r.sites, r.severity, r.since, r.day, r.value, r.detail,
      coalesce(r.names, '{}') as names, r.subjects,
      (select concat_ws(' ', u.first_name, u.last_name) from users u where u.id = r.assignee_id) as assignee,
      r.by_name as assigned_by, r.until, r.groups
    from ranked r left join locations on locations.id = coalesce(r.location_id, r.only_location)
      and ${visibleSql('locations')}
    left join clients on clients.id = r.client_id and ${visibleSql('clients')}
    where r.place_in_order = 1 or (r.is_aside = ${isAside} and r.place_in_order <= ${maxInboxItems}::int)`;
}

/** Reads the inbox of a caller or, with `isAside`, the items that the caller snoozed or that others take care of. */
export async function readInbox(
  { db, model, now }: Services,
  caller: Caller,
  isAside: boolean,
): Promise<Printable<InboxResult>> {
  const request = { model, caller, now: now() };
  const cachedFindings = await createCachedFindings(db, caller, request.now.getTime());
  const groupsByKind = await Promise.all(
    inboxKinds.map(async (kind) => {
      const findings = findingsSql(kind, request);
      const readGroups = () =>
        findings ? db.select(groupShape, groupsSql(kind, findings, request, isAside)) : emptyGroups;
      // A caller sees only their own imports.
      return { kind, groups: await cachedFindings(`${kind} ${isAside}`, kind === 'import', readGroups) };
    }),
  );
  const countItems = (aside: boolean) =>
    groupsByKind.reduce((sum, { groups }) => sum + (groups.find((group) => group.is_aside === aside)?.groups ?? 0), 0);
  const items = groupsByKind.flatMap(({ kind, groups }) =>
    groups.filter(({ is_aside }) => is_aside === isAside).map((group) => buildInboxItem(kind, group, caller)),
  );
  return {
    total: countItems(false),
    aside: countItems(true),
    items: items.sort(compareInboxItems).slice(0, maxInboxItems),
  };
}

function buildInboxItem(kind: InboxKind, group: RowOf<typeof groupShape>, caller: Caller): InboxItem {
  const { cause, place, location_id, client_id, is_aside, subjects } = group;
  const placeId = (place === 'location' ? location_id : client_id) ?? 0;
  const isJob = kind === 'job';
  return {
    key: printInboxKey({ kind, place, placeId, cause }),
    kind,
    severity: alertSeverities[group.severity] ?? 'info',
    cause,
    finding: kind === 'alert' || kind === 'reported' ? findingOf(group, caller) : null,
    count: group.count,
    sites: group.sites,
    location: referenceOf(location_id, group.location),
    client: referenceOf(client_id, group.client),
    names: group.names,
    ids: isJob || subjects.length > maxIds ? [] : subjects.map(Number),
    since: group.since?.toISOString() ?? null,
    day: group.day,
    detail: group.detail,
    assignee: group.assignee,
    assigned_by: group.assigned_by,
    until: group.until?.toISOString() ?? null,
    acts: is_aside ? asideActs(group, caller) : actsFor(kind, caller),
  };
}

const referenceOf = (id: number | null, name: string | null) => (id === null || name === null ? null : { id, name });

/** Everybody may undo their own snooze. Undoing a mark for everybody requires the permission to set it. */
const asideActs = ({ until }: RowOf<typeof groupShape>, caller: Caller): InboxItem['acts'] =>
  until !== null || hasPermission(caller, 'alerts.acknowledge') ? ['return'] : [];

const actsFor = (kind: InboxKind, caller: Caller) =>
  inboxActsOf[kind].filter((act) => act === 'snooze' || hasPermission(caller, 'alerts.acknowledge'));

function findingOf({ cause, value, day }: RowOf<typeof groupShape>, { language }: Caller): string {
  const [metric, ...code] = cause.split('/');
  return findingText(language, {
    metric: metric as AlertKind,
    value,
    code: metric === 'service_due' || metric === 'zone_uncleaned' ? day : code.length > 0 ? code.join('/') : null,
  });
}

/** SQL: rows of `findingsWithMarksSql` that belong to an item. `undefined` if the caller may not see its kind. */
export function itemFindingsSql(key: InboxKey, request: FindingsRequest): SQL | undefined {
  const findings = findingsSql(key.kind, request);
  const place = {
    location: sql`m.location_id = ${key.placeId}::int`,
    client: sql`m.client_id = ${key.placeId}::int`,
    none: sql`m.location_id is null and coalesce(m.client_id, 0) = ${key.placeId}::int`,
  }[key.place];
  return (
    findings &&
    sql`select m.* from (${findingsWithMarksSql(key.kind, findings, request)}) m
    where m.cause = ${key.cause} and ${place}`
  );
}
