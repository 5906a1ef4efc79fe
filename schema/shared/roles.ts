/** The six named roles with their names and scopes. Administrators can add roles, which are ordinary rows. */
import { type RoleName, roleNames } from '../dsl/entity';

/** Kinds of scope, from the widest to the narrowest. They decide which of a user's links limit a role. */
export const scopeKinds = ['all', 'country', 'partner', 'client', 'site', 'machine'] as const;
export type ScopeKind = (typeof scopeKinds)[number];

/** The specification defines the names, and users see them. Nobody can rename or delete these roles. */
export const namedRoles = {
  admin: { name: 'Admin', scope: 'all' },
  country_manager: { name: 'Country Manager', scope: 'country' },
  partner: { name: 'Partner', scope: 'partner' },
  customer_admin: { name: 'Customer Admin', scope: 'client' },
  site_manager: { name: 'Site Manager', scope: 'site' },
  operator: { name: 'Operator', scope: 'machine' },
} as const satisfies Record<RoleName, { name: string; scope: ScopeKind }>;

/** Returns the first role among `names` in the order of the specification; it decides the menu. */
export function firstRole(names: readonly string[]): RoleName | undefined {
  return roleNames.find((role) => names.includes(namedRoles[role].name));
}

/** Whether one of the roles was added by an administrator. */
export const hasAddedRole = (names: readonly string[]): boolean =>
  names.some((name) => firstRole([name]) === undefined);
