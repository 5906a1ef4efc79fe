/** Names of relations, as used by `include`, paths and responses. */
import type { Field } from './field';

/**
 * Returns the name of the relation of a field: `fleet_id` becomes `fleet`, `fleet_ids` becomes the name of the target
 * entity, and a `many` keeps its name. `undefined` for a field that is not a relation.
 */
export function relationName(fieldName: string, field: Field): string | undefined {
  if (field.kind === 'ref') return fieldName.replace(/_id$/, '');
  if (field.kind === 'refs') return field.to;
  return field.kind === 'many' ? fieldName : undefined;
}
