/** Arranges permissions by resource and action. */
import { actions } from '../../../schema/dsl/entity';
import { entities } from '../../../schema/index';

export interface Permission {
  id: number;
  name: string;
  /** `<resource>.<action>`. */
  code_name: string;
}

export interface MatrixRow {
  /** The resource. */
  name: string;
  /** Permissions for the seven standard actions, by action. */
  actions: ReadonlyMap<string, Permission>;
  /** Permissions for actions that only this resource has. */
  special: readonly Permission[];
}

/** One row per resource: the product's own in their fixed order, then others by name. */
export function matrixRows(permissions: readonly Permission[]): MatrixRow[] {
  const order = entities.map(({ name }) => name);
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const names = [...new Set(permissions.map(({ code_name }) => split(code_name).resource))];
  return names
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    .map((name) => {
      const ofResource = permissions.filter(({ code_name }) => split(code_name).resource === name);
      const isStandard = ({ code_name }: Permission) => actions.some((action) => action === split(code_name).action);
      return {
        name,
        actions: new Map(
          ofResource.filter(isStandard).map((permission) => [split(permission.code_name).action, permission]),
        ),
        special: ofResource.filter((permission) => !isStandard(permission)),
      };
    });
}

/** Actions that at least one resource has, in their fixed order. */
export function matrixColumns(rows: readonly MatrixRow[]): string[] {
  return actions.filter((action) => rows.some((row) => row.actions.has(action)));
}

function split(codeName: string): { resource: string; action: string } {
  const dot = codeName.indexOf('.');
  return dot < 0
    ? { resource: codeName, action: '' }
    : { resource: codeName.slice(0, dot), action: codeName.slice(dot + 1) };
}
