/** Which navigation each role sees, and what becomes of users whose roles have names of their own (specification, section 2). */
import type { RoleName } from '../../schema/dsl/entity';
import { firstRole } from '../../schema/roles';
import type { IconName } from './Icon';

export interface MenuItem {
  /** Translation key. */
  label: string;
  icon: IconName;
  /** Target route; without it the item is a plain label. */
  to?: string;
}

const dashboard: MenuItem = { label: 'frame.dashboard', icon: 'dashboard', to: '/' };
const machines: MenuItem = { label: 'resources.machines.plural', icon: 'machines', to: '/machines' };
const clients: MenuItem = { label: 'resources.clients.plural', icon: 'clients', to: '/clients' };
const account: MenuItem = { label: 'frame.account', icon: 'account', to: '/account' };
const users: MenuItem = { label: 'resources.users.plural', icon: 'users', to: '/users' };
const admin: MenuItem = { label: 'frame.admin', icon: 'admin', to: '/admin/users' };

const clientSide = [dashboard, machines, clients, users, account];

export const menus: Record<RoleName, readonly MenuItem[]> = {
  admin: [dashboard, machines, clients, account, users, admin],
  country_manager: clientSide,
  partner: clientSide,
  customer_admin: clientSide,
  site_manager: [dashboard, machines, clients, account],
  operator: [dashboard, machines, account],
};

/** The role that decides: the first named one, else the narrowest, for roles that administrators have added. */
export function decidingRole(roles: readonly string[]): RoleName | undefined {
  return firstRole(roles) ?? (roles.length > 0 ? 'operator' : undefined);
}

/** The target that the current page belongs to: the longest one that its path begins with. */
export function currentTarget(items: readonly MenuItem[], pathname: string): string | undefined {
  // Invitations are a list beside the users, though a single one has an address of its own.
  const at = /^\/invitations(\/|$)/.test(pathname) ? '/users/invitations' : pathname;
  const within = (target: string) => (target === '/' ? at === '/' : at === target || at.startsWith(`${sectionOf(target)}/`) || at === sectionOf(target));
  return items
    .flatMap(({ to }) => (to ? [to] : []))
    .filter(within)
    .sort((a, b) => b.length - a.length)[0];
}

/** All of `/admin` belongs to the one item that leads there. */
const sectionOf = (target: string) => `/${target.split('/')[1] ?? ''}`;
