/** Names of relations, as `include`, paths and responses use them. */
import type { Field } from './field';

/**
 * `fleet_id` is `fleet`, `fleet_ids` is the target entity's name, a `many` keeps its own; `undefined` for a field that
 * is not a relation.
 */
export function relationName(fieldName: string, field: Field): string | undefined {
  if (field.kind === 'ref') return fieldName.replace(/_id$/, '');
  if (field.kind === 'refs') return field.to;
  return field.kind === 'many' ? fieldName : undefined;
}
