/** SQL of fields without a column: from the entity's hooks, or read along a relation. */
import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../context/caller';
import type { ModelEntity, Relation } from '../context/services';
import { column, table } from './entityModel';

/** SQL value of a derived field. Throws if neither a relation nor a hook supplies it. */
export function derivedSql(
  entity: ModelEntity,
  { name, row, state, caller }: { name: string; row: SQL; state: SQL; caller: Caller },
): SQL {
  const field = entity.fields[name];
  if (field?.kind === 'ref' && field.through) {
    const middle = entity.relations.get(field.through) as Relation;
    return sql`(select via.${sql.identifier(name)} from ${table(middle.target)} via
      where via.id = ${column(row, middle.fieldName)})`;
  }
  const expression = entity.hooks.derived?.[name];
  if (!expression) throw new Error(`No hook supplies the SQL of ${entity.name}.${name}`);
  return expression({ entity, row, state, caller });
}
