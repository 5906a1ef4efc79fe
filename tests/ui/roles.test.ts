import { expect, test } from 'vitest';
import { namedRoles } from '../../schema/shared/roles';
import { isAdded } from '../../src/resources/roles/named';

test('the named roles cannot be ticked, roles that people added can', () => {
  expect(Object.values(namedRoles).map(({ name }, id) => isAdded({ id, name }))).toEqual(Array(6).fill(false));
  expect(isAdded({ id: 7, name: 'Night shift' })).toBe(true);
});
