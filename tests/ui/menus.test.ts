import { describe, expect, it } from 'vitest';
import type { RoleName } from '../../schema/dsl/entity';
import { entities } from '../../schema/index';
import { currentTarget, decidingRole, menus } from '../../src/layout/menus';

const targets = (role: RoleName) => menus[role].map(({ to }) => to);

describe('sidebar navigation (specification 2)', () => {
  it('leads administrators to everything', () => {
    expect(targets('admin')).toEqual(['/', '/machines', '/clients', '/account', '/users', '/admin/users']);
  });

  it.each([
    'country_manager',
    'partner',
    'customer_admin',
  ] as const)('leads a %s to machines, clients, users and account', (role) => {
    expect(targets(role)).toEqual(['/', '/machines', '/clients', '/users', '/account']);
  });

  it('leads a site manager everywhere but to users', () => {
    expect(targets('site_manager')).toEqual(['/', '/machines', '/clients', '/account']);
  });

  it('leads an operator to dashboard, machines and account only', () => {
    expect(targets('operator')).toEqual(['/', '/machines', '/account']);
  });

  it('is decided by the first matching role in the order of the specification', () => {
    expect(decidingRole(['Operator', 'Partner', 'Site Manager'])).toBe('partner');
    expect(decidingRole(['Customer Admin', 'Admin'])).toBe('admin');
  });

  it('is the narrowest for roles that administrators have added, and none without a role', () => {
    expect(decidingRole(['Night shift'])).toBe('operator');
    expect(decidingRole([])).toBeUndefined();
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
  ])('marks for %s the item %s', (pathname, item) => {
    expect(currentTarget(menus.admin, pathname)).toBe(item);
  });

  it.each(entities.map(({ name }) => name))('marks an item for the list of %s', (name) => {
    expect(currentTarget(menus.admin, `/${name}`)).toBeDefined();
  });

  it('marks what leads there: an operator comes to fleets from machines, a partner from clients', () => {
    expect(currentTarget(menus.operator, '/fleets/7')).toBe('/machines');
    expect(currentTarget(menus.operator, '/clients/7')).toBe('/machines');
    expect(currentTarget(menus.site_manager, '/users')).toBe('/clients');
    expect(currentTarget(menus.partner, '/fleets/7')).toBe('/clients');
    expect(currentTarget(menus.partner, '/trackers/7')).toBe('/machines');
    expect(currentTarget(menus.admin, '/imports/7', '/users')).toBe('/users');
    expect(currentTarget(menus.admin, '/imports/7', '/locations')).toBe('/clients');
    expect(currentTarget(menus.admin, '/machines/7', '/users')).toBe('/machines');
  });
});
