/** How declared things are called in the database (docs/architecture.md, "Names in the database"). */
import type { Entity } from '../../../schema/dsl/entity';

/** The side table for values that are written often. */
export const stateTable = (entity: string) => `${entity}_state`;

/** The link table of a `refs` field and its two columns: `users_fleets (users_id, fleets_id)`. */
export function linkOf(entity: string, to: string): { table: string; from: string; to: string } {
  return { table: `${entity}_${to}`, from: `${entity}_id`, to: entity === to ? `other_${to}_id` : `${to}_id` };
}

/** The key that refuses a second living row with the same value: what `UniqueViolation.constraint` says. */
export const uniqueKey = (entity: string, field: string) => `${entity}_${field}_key`;

/** The field whose unique key refused a row, if it is one of this entity. */
export function fieldOfKey(entity: Pick<Entity, 'name' | 'fields'>, constraint: string): string | undefined {
  return Object.keys(entity.fields).find((field) => uniqueKey(entity.name, field) === constraint);
}

/** Fields that are columns of the row or of its side table. */
export function stored(entity: Entity, store: 'row' | 'state'): string[] {
  const elsewhere = ['refs', 'many', 'records', 'password'];
  return Object.entries(entity.fields)
    .filter(
      ([name, field]) =>
        !commonFields.includes(name) && !elsewhere.includes(field.kind) && (field.store ?? 'row') === store,
    )
    .map(([name]) => name);
}

const commonFields = ['id', 'created_at', 'updated_at', 'version'];
