/** The six named roles: name, scope and order. Administrators add further roles as rows. */
import { type RoleName, roleNames } from '../dsl/entity';

/** Which of a user's links limit a role, from the widest to the narrowest. */
export const scopeKinds = ['all', 'country', 'partner', 'client', 'site', 'machine'] as const;
export type ScopeKind = (typeof scopeKinds)[number];

/** The names are data that users see and the specification fixes; nobody can rename or delete them. */
export const namedRoles = {
  admin: { name: 'Admin', scope: 'all' },
  country_manager: { name: 'Country Manager', scope: 'country' },
  partner: { name: 'Partner', scope: 'partner' },
  customer_admin: { name: 'Customer Admin', scope: 'client' },
  site_manager: { name: 'Site Manager', scope: 'site' },
  operator: { name: 'Operator', scope: 'machine' },
} as const satisfies Record<RoleName, { name: string; scope: ScopeKind }>;

/** The first role among `names` in the order of the specification; it decides the menu. */
export function firstRole(names: readonly string[]): RoleName | undefined {
  return roleNames.find((role) => names.includes(namedRoles[role].name));
}

/** Whether one of the roles was added by an administrator. */
export const hasAddedRole = (names: readonly string[]): boolean =>
  names.some((name) => firstRole([name]) === undefined);
