/**
 * Options of pickers. For roles and countries: only those that the user may grant. The server enforces the same rule:
 * users cannot grant what they do not have. For saved views: those of the right list.
 */
import type { RaRecord } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { reports } from '../../../schema/features/reports';
import type { ReportName } from '../../../schema/shared/reportNames';
import { namedRoles, type ScopeKind, scopeKinds } from '../../../schema/shared/roles';
import { currentUser } from '../../providers/auth';
import type { Filters } from '../../providers/filters';

/** The scope kinds of the user; `undefined` with a custom role, whose scope the browser does not know. */
function ownKinds(): ScopeKind[] | undefined {
  const kinds = (currentUser()?.roles ?? []).map(
    (role) => Object.values(namedRoles).find(({ name }) => name === role)?.scope,
  );
  return kinds.some((kind) => kind === undefined) ? undefined : (kinds as ScopeKind[]);
}

/**
 * Filter of saved views for a rule, report or schedule. Rules use views of machines, a report uses views of its rows,
 * and a scheduled list may be any view.
 */
function viewsFor({ name }: Entity, { report }: Record<string, unknown>): Filters {
  if (name !== 'report_schedules') return { resource: 'machines' };
  return report === 'list' ? {} : { resource: reports[report as ReportName]?.rows };
}

/** Filter of the rows that a field's picker offers, given the form's other values; empty for most fields. */
export function optionFilter(entity: Entity, source: string, values: Record<string, unknown> = {}): Filters {
  const to = entity.fields[source]?.to;
  if (to === 'saved_views') return viewsFor(entity, values);
  const kinds = ownKinds();
  if (!kinds || kinds.includes('all')) return {};
  // A partner's scope consists of clients, in whichever country they are.
  const isLimitedToCountries = entity.name === 'users' || !kinds.includes('partner');
  if (to === 'countries' && kinds.includes('country') && isLimitedToCountries)
    return { id: (currentUser()?.countries ?? []).map(({ id }) => id) };
  return {};
}

/**
 * The roles that the user may grant: none with a wider scope or more permissions than the user's own roles. `roles`
 * must contain the user's roles.
 */
export function grantableRoles(roles: readonly RaRecord[]): RaRecord[] {
  const names = currentUser()?.roles ?? [];
  const ownRoles = roles.filter(({ name }) => names.includes(name));
  const widest = Math.min(...ownRoles.map(({ scope }) => scopeKinds.indexOf(scope)));
  const ownPermissions = new Set(ownRoles.flatMap(({ permission_ids }) => permission_ids as number[]));
  return roles.filter(
    ({ scope, permission_ids }) =>
      scopeKinds.indexOf(scope) >= widest && (permission_ids as number[]).every((id) => ownPermissions.has(id)),
  );
}

/** Link fields that matter only for roles that the user may not grant; forms omit them. */
export function ungrantableFields(): string[] {
  const kinds = ownKinds();
  if (!kinds || kinds.includes('all') || kinds.includes('country')) return [];
  return kinds.includes('partner') ? ['country_ids'] : ['country_ids', 'client_ids'];
}
