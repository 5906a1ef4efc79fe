/**
 * Options of pickers for roles and countries: only what the user may grant. The server enforces this itself (nobody
 * grants what they do not hold).
 */
import type { RaRecord } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { reports } from '../../../schema/features/reports';
import type { ReportName } from '../../../schema/shared/reportNames';
import { namedRoles, type ScopeKind, scopeKinds } from '../../../schema/shared/roles';
import { currentUser } from '../../providers/auth';
import type { Filters } from '../../providers/filters';

/** The scope kinds of the user; `undefined` if a role added by administrators leaves them open. */
function ownKinds(): ScopeKind[] | undefined {
  const kinds = (currentUser()?.roles ?? []).map(
    (role) => Object.values(namedRoles).find(({ name }) => name === role)?.scope,
  );
  return kinds.some((kind) => kind === undefined) ? undefined : (kinds as ScopeKind[]);
}

/** Rules watch machines; a report is narrowed by views of its rows; a scheduled list may be any view. */
function viewsFor({ name }: Entity, { report }: Record<string, unknown>): Filters {
  if (name !== 'report_schedules') return { resource: 'machines' };
  return report === 'list' ? {} : { resource: reports[report as ReportName]?.rows };
}

/** Filter of the rows offered for a field, given the form's other values; empty for most fields. */
export function optionFilter(entity: Entity, source: string, values: Record<string, unknown> = {}): Filters {
  const to = entity.fields[source]?.to;
  if (to === 'saved_views') return viewsFor(entity, values);
  const kinds = ownKinds();
  if (!kinds || kinds.includes('all')) return {};
  // A partner's scope is the clients themselves, wherever they are.
  const isBound = entity.name === 'users' || !kinds.includes('partner');
  if (to === 'countries' && kinds.includes('country') && isBound)
    return { id: (currentUser()?.countries ?? []).map(({ id }) => id) };
  return {};
}

/**
 * The roles the user may grant: none with a wider scope or more permissions than their own roles, which are in `roles`.
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

/** Link fields that only matter for roles the user may not grant; forms omit them. */
export function ungrantableFields(): string[] {
  const kinds = ownKinds();
  if (!kinds || kinds.includes('all') || kinds.includes('country')) return [];
  return kinds.includes('partner') ? ['country_ids'] : ['country_ids', 'client_ids'];
}
