/** The navigation of the six named roles (specification, section 2) and of roles that administrators add. */
import type { RoleName } from '../../schema/dsl/entity';
import { type EntityName, entities } from '../../schema/index';
import { firstRole, hasAddedRole } from '../../schema/shared/roles';
import { can, currentUser } from '../providers/auth';
import type { IconName } from '../ui/Icon';

export interface MenuEntry {
  /** Translation key. */
  label: string;
  icon: IconName;
  /** Target route; without one the item is a plain label. */
  to?: string;
  /** The entity that the page lists. The item is shown only to users who may list it. */
  lists?: string;
}

const dashboard: MenuEntry = { label: 'frame.dashboard', icon: 'dashboard', to: '/' };
const machines: MenuEntry = {
  label: 'resources.machines.plural',
  icon: 'machines',
  to: '/machines',
  lists: 'machines',
};
const clients: MenuEntry = { label: 'resources.clients.plural', icon: 'clients', to: '/clients', lists: 'clients' };
const account: MenuEntry = { label: 'frame.account', icon: 'account', to: '/account' };
const users: MenuEntry = { label: 'resources.users.plural', icon: 'users', to: '/users', lists: 'users' };
const admin: MenuEntry = { label: 'frame.admin', icon: 'admin', to: '/admin/users' };

const standardMenu = [dashboard, machines, clients, users, account];

const menus: Record<RoleName, readonly MenuEntry[]> = {
  admin: [dashboard, machines, clients, account, users, admin],
  country_manager: standardMenu,
  partner: standardMenu,
  customer_admin: standardMenu,
  site_manager: [dashboard, machines, clients, account],
  operator: [dashboard, machines, account],
};

/** Paths of lists that differ from the entity's name. */
const listPaths: Partial<Record<string, string>> = { invitations: '/users/invitations' };

export const listEntry = (name: string): Required<MenuEntry> => ({
  label: `resources.${name}.plural`,
  icon: 'table',
  to: listPaths[name] ?? `/${name}`,
  lists: name,
});

/** What decides the menu of a user. */
export interface MenuOwner {
  roles: readonly string[];
  mayList: (entity: string) => boolean;
}

/**
 * The menu of the user's first named role, without pages that the user may not open. A custom role adds every list that
 * it permits and that no other item links to.
 */
export function menuOf({ roles, mayList }: MenuOwner): readonly MenuEntry[] {
  const permittedItems = (items: readonly MenuEntry[]) => items.filter(({ lists }) => !lists || mayList(lists));
  const namedRole = firstRole(roles);
  if (namedRole === 'admin' || !hasAddedRole(roles)) return namedRole ? permittedItems(menus[namedRole]) : [];
  const items = permittedItems(standardMenu);
  const isReachable = ({ to, lists }: Required<MenuEntry>) =>
    items.some((item) => item.to === to || (item.lists && itemsAbove[lists]?.includes(item.to ?? '')));
  const others = entities.filter(({ name }) => mayList(name)).map(({ name }) => listEntry(name));
  return [...items.slice(0, -1), ...others.filter((list) => !isReachable(list)), account];
}

/** The menu of the logged-in user. */
export const ownMenu = (): readonly MenuEntry[] =>
  menuOf({ roles: currentUser()?.roles ?? [], mayList: (entity) => can(entity, 'list') });

/** For entities and reports without their own menu item: the items to highlight instead, in order of preference. */
const itemsAbove: Partial<Record<string, readonly string[]>> = {
  clients: ['/machines'],
  users: ['/clients'],
  fleets: ['/clients', '/machines'],
  locations: ['/clients', '/machines'],
  floors: ['/clients', '/machines'],
  zones: ['/clients', '/machines'],
  runs: ['/machines'],
  documents: ['/machines'],
  service_entries: ['/machines'],
  service_plans: ['/machines'],
  saved_views: ['/machines'],
  alert_rules: ['/clients'],
  alerts: ['/machines'],
  invitations: ['/users'],
  types: ['/admin/users', '/machines'],
  trackers: ['/admin/users', '/machines'],
  integrations: ['/admin/users', '/clients'],
  roles: ['/admin/users', '/users'],
  permissions: ['/admin/users', '/users'],
  languages: ['/admin/users', '/users'],
  countries: ['/admin/users', '/clients'],
  audit: ['/admin/users', '/machines'],
  imports: ['/machines', '/account'],
  reports: ['/machines'],
  report_schedules: ['/machines'],
} satisfies Record<Exclude<EntityName, 'machines'> | 'reports', readonly string[]>;

/**
 * Target of the item to highlight: the item of the page's section, else of its `trailStart`, else one from
 * `itemsAbove`.
 */
export function currentTarget(items: readonly MenuEntry[], pathname: string, trailStart?: string): string | undefined {
  const targets = items.flatMap(({ to }) => (to ? [to] : []));
  const ownTarget = (section: string) =>
    items.find(({ to, lists }) => to && (sectionOf(to) === section || lists === section))?.to;
  const firstTarget = (section: string) =>
    Object.hasOwn(itemsAbove, section) ? itemsAbove[section]?.find((target) => targets.includes(target)) : undefined;
  const section = sectionOf(pathname);
  const first = trailStart === undefined ? section : sectionOf(trailStart);
  return ownTarget(section) ?? ownTarget(first) ?? firstTarget(first) ?? firstTarget(section);
}

/** All of `/admin` belongs to one item. */
const sectionOf = (path: string) => path.split('/')[1] ?? '';
