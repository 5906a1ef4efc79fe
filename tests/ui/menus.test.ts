import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RoleName } from '../../schema/dsl/entity';
import { entities } from '../../schema/index';
import { namedRoles } from '../../schema/shared/roles';
import { currentTarget, menuOf } from '../../src/layout/menus';

const allEntities = entities.map(({ name }) => name);
const targetsOf = (roles: readonly string[], lists: readonly string[]) =>
  menuOf({ roles, mayList: (name) => lists.includes(name) }).map(({ to }) => to);
const menuFor = (role: RoleName) => menuOf({ roles: [namedRoles[role].name], mayList: () => true });
const targets = (role: RoleName) => menuFor(role).map(({ to }) => to);

describe('sidebar navigation', () => {
  it('shows every page to administrators', () => {
    expect(targets('admin')).toEqual(['/', '/machines', '/clients', '/account', '/users', '/admin/users']);
  });

  it.each([
    'country_manager',
    'partner',
    'customer_admin',
  ] as const)('offers a %s machines, clients, users and account', (role) => {
    expect(targets(role)).toEqual(['/', '/machines', '/clients', '/users', '/account']);
  });

  it('shows a Site Manager every page except users', () => {
    expect(targets('site_manager')).toEqual(['/', '/machines', '/clients', '/account']);
  });

  it('shows an Operator only dashboard, machines and account', () => {
    expect(targets('operator')).toEqual(['/', '/machines', '/account']);
  });

  it('follows the first matching role in the order of the specification', () => {
    expect(targetsOf(['Operator', 'Partner', 'Site Manager'], allEntities)).toEqual(targets('partner'));
    expect(targetsOf(['Customer Admin', 'Admin'], allEntities)).toEqual(targets('admin'));
    expect(targetsOf([], allEntities)).toEqual([]);
  });

  it('omits pages that the user may not open', () => {
    expect(targetsOf(['Operator'], [])).toEqual(['/', '/account']);
    expect(targetsOf(['Partner'], ['users'])).toEqual(['/', '/users', '/account']);
  });

  it('follows permissions for custom roles', () => {
    expect(targetsOf(['Night shift'], ['clients', 'users'])).toEqual(['/', '/clients', '/users', '/account']);
    expect(targetsOf(['Night shift'], ['trackers'])).toEqual(['/', '/trackers', '/account']);
    expect(targetsOf(['Night shift'], ['machines', 'trackers'])).toEqual(['/', '/machines', '/account']);
    expect(targetsOf(['Operator', 'Bookkeeping'], ['machines', 'clients'])).toEqual([
      '/',
      '/machines',
      '/clients',
      '/account',
    ]);
    expect(targetsOf(['Night shift', 'Admin'], allEntities)).toEqual(targets('admin'));
  });

  it.each(entities.map(({ name }) => name))('shows the list of %s with just the permission to list it', (name) => {
    const path = name === 'invitations' ? '/users/invitations' : `/${name}`;
    expect(targetsOf(['Night shift'], [name])).toEqual(['/', path, '/account']);
  });

  it('shows exactly the permitted lists, for any set of permissions', () => {
    fc.assert(
      fc.property(fc.subarray(allEntities), (allowed) => {
        const menu = menuOf({ roles: ['Night shift'], mayList: (name) => allowed.includes(name) });
        const listNames = menu.flatMap(({ lists }) => lists ?? []);
        expect(listNames.filter((name) => !allowed.includes(name))).toEqual([]);
        for (const name of allowed) expect(currentTarget(menu, `/${name}`), name).toBeDefined();
      }),
    );
  });

  it.each([
    ['/', '/'],
    ['/machines', '/machines'],
    ['/machines/7', '/machines'],
    ['/users/invitations', '/users'],
    ['/invitations/create', '/users'],
    ['/invitations/7', '/users'],
    ['/admin', '/admin/users'],
    ['/admin/fleets/trackers', '/admin/users'],
    ['/fleets', '/clients'],
    ['/locations/7/edit', '/clients'],
    ['/trackers', '/admin/users'],
    ['/countries/3', '/admin/users'],
    ['/machinesque', undefined],
    ['/nowhere', undefined],
    ['/constructor', undefined],
  ])('highlights for %s the item %s', (pathname, item) => {
    expect(currentTarget(menuFor('admin'), pathname)).toBe(item);
  });

  it.each(entities.map(({ name }) => name))('highlights an item for the list of %s', (name) => {
    expect(currentTarget(menuFor('admin'), `/${name}`)).toBeDefined();
  });

  it('highlights the parent item: machines for an operator on fleets, clients for a partner', () => {
    expect(currentTarget(menuFor('operator'), '/fleets/7')).toBe('/machines');
    expect(currentTarget(menuFor('operator'), '/clients/7')).toBe('/machines');
    expect(currentTarget(menuFor('site_manager'), '/users')).toBe('/clients');
    expect(currentTarget(menuFor('partner'), '/fleets/7')).toBe('/clients');
    expect(currentTarget(menuFor('partner'), '/trackers/7')).toBe('/machines');
    expect(currentTarget(menuFor('admin'), '/imports/7', '/users')).toBe('/users');
    expect(currentTarget(menuFor('admin'), '/imports/7', '/locations')).toBe('/clients');
    expect(currentTarget(menuFor('admin'), '/machines/7', '/users')).toBe('/machines');
  });
});
