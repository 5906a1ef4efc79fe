import { beforeEach, expect, test } from 'vitest';
import { codesOf, entities, registry } from '../../schema/index';
import { namedRoles } from '../../schema/shared/roles';
import { isDeletable } from '../../src/crud/shared/removalTexts';
import { session } from '../../src/providers/session';

beforeEach(() => {
  const payload = { id: 1, roles: ['Admin'], permissions: ['roles.delete', 'permissions.delete'], countries: [] };
  session.set({ t: 'token', ut: `e30.${btoa(JSON.stringify(payload))}.x` });
});

test('custom roles can be deleted, built-in ones cannot', () => {
  const deletable = Object.values(namedRoles).map(({ name }, id) => isDeletable(registry.roles, { id, name }));
  expect(deletable).toEqual(Array(6).fill(false));
  expect(isDeletable(registry.roles, { id: 7, name: 'Night shift' })).toBe(true);
});

test('custom permissions can be deleted, enforced ones cannot', () => {
  const codes = entities.flatMap(codesOf);
  expect(codes.filter((code_name, id) => isDeletable(registry.permissions, { id, code_name }))).toEqual([]);
  expect(isDeletable(registry.permissions, { id: 1, code_name: 'machines.dance' })).toBe(true);
});
