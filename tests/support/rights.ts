/**
 * Permissions and fields of each role, derived from the declared grants. `idsInScope` (world.ts) has the rows in each
 * role's scope.
 */
import { type Entity, type RoleName, roleNames } from '../../schema/dsl/entity';
import { entities, grantedTo } from '../../schema/index';

const granted = Object.fromEntries(roleNames.map((role) => [role, new Set(grantedTo(role))])) as Record<
  RoleName,
  Set<string>
>;

export const mayDo = (role: RoleName, entity: Pick<Entity, 'name'>, action: string): boolean =>
  granted[role].has(`${entity.name}.${action}`);

/** Fields that this role cannot read for lack of permission. */
export const hiddenFrom = (role: RoleName, entity: Entity): string[] =>
  Object.keys(entity.fields).filter((name) => {
    const code = entity.fields[name]?.read;
    return code !== undefined && !granted[role].has(code);
  });

/** Fields that this role may edit on a row in its scope. */
export const editableBy = (role: RoleName, entity: Entity): string[] =>
  Object.entries(entity.fields)
    .filter(
      ([name, { write, edit }]) =>
        write !== false &&
        !hiddenFrom(role, entity).includes(name) &&
        (mayDo(role, entity, 'edit') || (edit && granted[role].has(edit))),
    )
    .map(([name]) => name);

/** Every combination of role and entity, for `describe.each`. */
export const rolesAndEntities = roleNames.flatMap((role) =>
  entities.map((entity) => ({ role, name: entity.name, entity })),
);
