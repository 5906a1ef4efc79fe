/**
 * Permissions and fields of each role, from the declared grants; the rows in its scope are in the world (`idsInScope`).
 */
import { type Entity, type RoleName, roleNames } from '../../schema/dsl/entity';
import { entities, grantedTo } from '../../schema/index';

const granted = Object.fromEntries(roleNames.map((role) => [role, new Set(grantedTo(role))])) as Record<
  RoleName,
  Set<string>
>;

export const mayDo = (role: RoleName, entity: Pick<Entity, 'name'>, action: string): boolean =>
  granted[role].has(`${entity.name}.${action}`);

/** Fields hidden from this role for lack of permission. */
export const hiddenFrom = (role: RoleName, entity: Entity): string[] =>
  Object.keys(entity.fields).filter((name) => {
    const code = entity.fields[name]?.read;
    return code !== undefined && !granted[role].has(code);
  });

/** Fields that this role may edit on a row within scope. */
export const editableBy = (role: RoleName, entity: Entity): string[] =>
  Object.entries(entity.fields)
    .filter(
      ([name, { write, edit }]) =>
        write !== false &&
        !hiddenFrom(role, entity).includes(name) &&
        (mayDo(role, entity, 'edit') || (edit && granted[role].has(edit))),
    )
    .map(([name]) => name);

/** Every role with every entity, for `describe.each`. */
export const rolesAndEntities = roleNames.flatMap((role) =>
  entities.map((entity) => ({ role, name: entity.name, entity })),
);
