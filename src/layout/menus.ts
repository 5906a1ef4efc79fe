/** The navigation of each role, and of users whose roles have names of their own (specification, section 2). */
import type { RoleName } from '../../schema/dsl/entity';
import type { EntityName } from '../../schema/index';
import { firstRole } from '../../schema/shared/roles';
import type { IconName } from '../ui/Icon';

export interface MenuEntry {
  /** Translation key. */
  label: string;
  icon: IconName;
  /** Target route; without one the item is a plain label. */
  to?: string;
}

const dashboard: MenuEntry = { label: 'frame.dashboard', icon: 'dashboard', to: '/' };
const machines: MenuEntry = { label: 'resources.machines.plural', icon: 'machines', to: '/machines' };
const clients: MenuEntry = { label: 'resources.clients.plural', icon: 'clients', to: '/clients' };
const account: MenuEntry = { label: 'frame.account', icon: 'account', to: '/account' };
const users: MenuEntry = { label: 'resources.users.plural', icon: 'users', to: '/users' };
const admin: MenuEntry = { label: 'frame.admin', icon: 'admin', to: '/admin/users' };

const clientSide = [dashboard, machines, clients, users, account];

export const menus: Record<RoleName, readonly MenuEntry[]> = {
  admin: [dashboard, machines, clients, account, users, admin],
  country_manager: clientSide,
  partner: clientSide,
  customer_admin: clientSide,
  site_manager: [dashboard, machines, clients, account],
  operator: [dashboard, machines, account],
};

/** The role that decides: the first named one, else the narrowest, for roles added by administrators. */
export function decidingRole(roles: readonly string[]): RoleName | undefined {
  return firstRole(roles) ?? (roles.length > 0 ? 'operator' : undefined);
}

/** Menu item above entities and reports without an item of their own: the first of these in the menu. */
const above: Partial<Record<string, readonly string[]>> = {
  clients: ['/machines'],
  users: ['/clients'],
  fleets: ['/clients', '/machines'],
  locations: ['/clients', '/machines'],
  documents: ['/machines'],
  service_entries: ['/machines'],
  service_plans: ['/machines'],
  saved_views: ['/machines'],
  alert_rules: ['/clients'],
  alerts: ['/machines'],
  invitations: ['/users'],
  types: ['/admin/users', '/machines'],
  trackers: ['/admin/users', '/machines'],
  roles: ['/admin/users', '/users'],
  permissions: ['/admin/users', '/users'],
  languages: ['/admin/users', '/users'],
  countries: ['/admin/users', '/clients'],
  audit: ['/admin/users', '/machines'],
  imports: ['/machines', '/account'],
  reports: ['/machines'],
  report_schedules: ['/machines'],
} satisfies Partial<Record<EntityName | 'reports', readonly string[]>>;

/**
 * The item of the current page: of its own section, or the one that leads to it; `begins` is the first page of its
 * trail.
 */
export function currentTarget(items: readonly MenuEntry[], pathname: string, begins?: string): string | undefined {
  const targets = items.flatMap(({ to }) => (to ? [to] : []));
  const own = (section: string) => targets.find((target) => sectionOf(target) === section);
  const leading = (section: string) => above[section]?.find((target) => targets.includes(target));
  const section = sectionOf(pathname);
  const first = begins === undefined ? section : sectionOf(begins);
  return own(section) ?? own(first) ?? leading(first) ?? leading(section);
}

/** All of `/admin` belongs to one item. */
const sectionOf = (path: string) => path.split('/')[1] ?? '';
