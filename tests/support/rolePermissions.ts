/**
 * Permissions and fields of each role, derived from the declared grants. `idsInScope` (world.ts) has the rows in each
 * role's scope.
 */
import { type Entity, type RoleName, roleNames } from '../../schema/dsl/entity';
import { defaultPermissionsOf, entities } from '../../schema/index';

const grantedCodes = Object.fromEntries(roleNames.map((role) => [role, new Set(defaultPermissionsOf(role))])) as Record<
  RoleName,
  Set<string>
>;

export const hasPermission = (role: RoleName, entity: Pick<Entity, 'name'>, action: string): boolean =>
  grantedCodes[role].has(`${entity.name}.${action}`);

/** Fields that this role cannot read for lack of permission. */
export const unreadableFields = (role: RoleName, entity: Entity): string[] =>
  Object.keys(entity.fields).filter((name) => {
    const code = entity.fields[name]?.read;
    return code !== undefined && !grantedCodes[role].has(code);
  });

/** Fields that this role may edit on a row in its scope. */
export const editableFields = (role: RoleName, entity: Entity): string[] =>
  Object.entries(entity.fields)
    .filter(
      ([name, { write, edit }]) =>
        write !== false &&
        !unreadableFields(role, entity).includes(name) &&
        (hasPermission(role, entity, 'edit') || (edit && grantedCodes[role].has(edit))),
    )
    .map(([name]) => name);

// Only `npm test` names the embedded database, and then runs the other pass as well: see vitest.config.ts.
const { SWEEPLINE_TEST_DATABASE, SWEEPLINE_TEST_WHOLE } = process.env;
const isWhole = SWEEPLINE_TEST_WHOLE === 'yes';
const isExhaustive = SWEEPLINE_TEST_DATABASE !== 'pglite' || isWhole;

const otherRoles = roleNames.filter((role) => role !== 'admin');

const combine = (isEvery: boolean) =>
  roleNames.flatMap((role) =>
    entities
      .filter((_, index) => isEvery || role === 'admin' || role === otherRoles[index % otherRoles.length])
      .map((entity) => ({ role, name: entity.name, entity })),
  );

/**
 * Combinations of role and entity, for `describe.each`. Rights are decided by the same code on both databases, so all
 * combinations run on PostgreSQL only, and on both with `SWEEPLINE_TEST_WHOLE=yes`. Otherwise `npm test` checks every
 * entity on the embedded database with Admin, who may do everything, and with one of the five other roles in turn.
 */
export const rolesAndEntities = combine(isExhaustive);

/**
 * Every entity with Admin and one other role in turn, all combinations with `SWEEPLINE_TEST_WHOLE=yes`. For calls whose
 * rights are decided by code that other tests check with `rolesAndEntities`.
 */
export const sampledRolesAndEntities = combine(isWhole);
