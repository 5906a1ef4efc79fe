/** The rows that a relation leads to, always within the caller's scope. */
import { type SQL, sql } from 'drizzle-orm';
import { reachedBy } from '../along';
import { living, type Relation, serverOf, table } from '../model';
import { within } from '../scope';
import type { At } from './fields';

/** The rows of a relation that the caller may see, as a condition on the alias `to`. */
export function related({ entity, row, caller, sketch }: At, relation: Relation, to: SQL): SQL {
  const reached = reachedBy(entity, row, relation, to, { sketch, caller });
  const narrowed = relation.field.narrowed ? serverOf(entity).narrowed?.[relation.name]?.(to) : undefined;
  return sql`${reached} and ${living(to)} and ${within(relation.target, caller, to, sketch)}${narrowed ? sql` and ${narrowed}` : sql``}`;
}

/** How many rows of a relation the caller may see. */
export function countSql(at: At, relation: Relation): SQL {
  const to = at.sketch.alias();
  return sql`(select count(*)::int from ${table(relation.target)} ${to} where ${related(at, relation, to)})`;
}
