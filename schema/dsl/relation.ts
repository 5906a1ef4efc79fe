/** What a relation is called: the name in `include`, in paths and in answers. */
import type { Field } from './field';

/**
 * `fleet_id` is `fleet`, `fleet_ids` is the entity pointed at, a `many` keeps its name; `undefined` for a field that
 * leads nowhere.
 */
export function relationName(fieldName: string, field: Field): string | undefined {
  if (field.kind === 'ref') return fieldName.replace(/_id$/, '');
  if (field.kind === 'refs') return field.to;
  return field.kind === 'many' ? fieldName : undefined;
}
