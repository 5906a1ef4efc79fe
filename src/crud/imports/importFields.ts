/** Fields of an import that no column of the file fills. */

import { registry } from '../../../schema';
import type { Field } from '../../../schema/dsl/field';
import type { Import } from './import';

/** Declaration of a field that an import can fill. */
export const fieldOf = (resource: string, name: string): Field | undefined =>
  (registry[resource as keyof typeof registry]?.fields as Record<string, Field> | undefined)?.[name];

/** Unfilled fields in the order of the template. `mapping`: target field of each column. */
export function unfilledFields(
  job: Pick<Import, 'targets' | 'resource'>,
  mapping: readonly (string | null)[],
): string[] {
  const filledFields = job.targets.filter(({ name }) => mapping.includes(name)).map(({ field }) => field);
  return [...new Set(job.targets.map(({ field }) => field))].filter(
    (field) => field !== 'id' && !filledFields.includes(field),
  );
}

/** The unfilled fields that new rows require. Of two fields of which either suffices, returns only the first. */
export function missingRequiredFields(
  job: Pick<Import, 'targets' | 'resource'>,
  mapping: readonly (string | null)[],
): string[] {
  const missingFields = unfilledFields(job, mapping);
  return missingFields.filter((name) => {
    const { required, requiredWithout, default: defaultValue } = fieldOf(job.resource, name) ?? {};
    const isFirstAlternative =
      requiredWithout !== undefined &&
      missingFields.includes(requiredWithout) &&
      missingFields.indexOf(name) < missingFields.indexOf(requiredWithout);
    return (required === true && defaultValue === undefined) || isFirstAlternative;
  });
}
