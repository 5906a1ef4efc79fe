/** The fields of an import beside its columns. */

import { registry } from '../../../schema';
import type { Field } from '../../../schema/dsl/field';
import type { Import } from './import';

/** The declaration of a field that an import can fill. */
export const fieldOf = (resource: string, name: string): Field | undefined =>
  (registry[resource as keyof typeof registry]?.fields as Record<string, Field> | undefined)?.[name];

/** Fields that no column fills, in the order of the template. `mapping`: where the columns go. */
export function unfilled(one: Pick<Import, 'targets' | 'resource'>, mapping: readonly (string | null)[]): string[] {
  const filled = one.targets.filter(({ name }) => mapping.includes(name)).map(({ field }) => field);
  return [...new Set(one.targets.map(({ field }) => field))].filter(
    (field) => field !== 'id' && !filled.includes(field),
  );
}

/** Those of them without which no new row can be. One that stands in for another is named first. */
export function needed(one: Pick<Import, 'targets' | 'resource'>, mapping: readonly (string | null)[]): string[] {
  const open = unfilled(one, mapping);
  return open.filter((name) => {
    const { required, requiredWithout, default: usual } = fieldOf(one.resource, name) ?? {};
    const isFirst =
      requiredWithout !== undefined &&
      open.includes(requiredWithout) &&
      open.indexOf(name) < open.indexOf(requiredWithout);
    return (required === true && usual === undefined) || isFirst;
  });
}
