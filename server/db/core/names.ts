/** Names of declared things in the database (docs/architecture.md, "Declarations and database"). */
import type { Entity } from '../../../schema/dsl/entity';

/** Side table for values that are written often. */
export const stateTable = (entity: string) => `${entity}_state`;

/** Link table of a `refs` field and its two columns: `users_fleets (users_id, fleets_id)`. */
export function linkOf(entity: string, to: string): { table: string; from: string; to: string } {
  return { table: `${entity}_${to}`, from: `${entity}_id`, to: entity === to ? `other_${to}_id` : `${to}_id` };
}

/** Name of the unique index over rows that are not deleted, as in `UniqueViolation.constraint`. */
export const uniqueKey = (entity: string, field: string) => `${entity}_${field}_key`;

/** Finds the field behind a violated unique key of this entity. */
export function fieldOfKey(entity: Pick<Entity, 'name' | 'fields'>, constraint: string): string | undefined {
  return Object.keys(entity.fields).find((field) => uniqueKey(entity.name, field) === constraint);
}

/** Fields with a column in the entity's table or in its side table. */
export function storedFields(entity: Entity, store: 'row' | 'state'): string[] {
  const unstoredKinds = ['refs', 'many', 'records', 'password'];
  return Object.entries(entity.fields)
    .filter(
      ([name, field]) =>
        !commonFields.includes(name) && !unstoredKinds.includes(field.kind) && (field.store ?? 'row') === store,
    )
    .map(([name]) => name);
}

const commonFields = ['id', 'created_at', 'updated_at', 'version'];
