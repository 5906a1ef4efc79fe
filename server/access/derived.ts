/** SQL of fields without a column: from the entity's hooks, or read along a relation. */
import { type SQL, sql } from 'drizzle-orm';
import type { Entity } from '../../schema/dsl/entity';
import type { Caller } from '../context/caller';
import { column, hooksOf, type Relation, relationsOf, table } from './entityModel';

export function derivedSql(
  entity: Entity,
  { name, row, state, caller }: { name: string; row: SQL; state: SQL; caller: Caller },
): SQL {
  const field = entity.fields[name];
  if (field?.kind === 'ref' && field.through) {
    const middle = relationsOf(entity).get(field.through) as Relation;
    return sql`(select via.${sql.identifier(name)} from ${table(middle.target)} via
      where via.id = ${column(row, middle.fieldName)})`;
  }
  const expression = hooksOf(entity).derived?.[name];
  if (!expression) throw new Error(`server/entities/${entity.name}.ts gives no SQL for ${name}`);
  return expression({ row, state, caller });
}
