/** SQL of related rows within the caller's scope. */
import { type SQL, sql } from 'drizzle-orm';
import { column, notDeleted, table } from '../../access/entityModel';
import { relationWhere } from '../../access/relationPath';
import { scopeWhere } from '../../access/scopeWhere';
import type { Relation } from '../../context/services';
import type { RowAliases } from './fields';

/** SQL condition on the alias `to`: rows of a relation that the caller may see. */
export function relatedWhere({ entity, row, caller, context }: RowAliases, relation: Relation, to: SQL): SQL {
  const joinWhere = relationWhere(entity, row, relation, to, { context, caller });
  const owner =
    relation.field.kind === 'many'
      ? { entity, row, pathToOwner: (relation.field.back as string).split('.') }
      : undefined;
  const narrowedWhere = relation.field.narrowed ? entity.hooks.narrowedWhere?.[relation.name]?.(to) : undefined;
  const andNarrowed = narrowedWhere ? sql` and ${narrowedWhere}` : sql``;
  return sql`${joinWhere} and ${notDeleted(to)}
    and ${scopeWhere(relation.target, caller, to, context, true, owner)}${andNarrowed}`;
}

/** SQL: number of rows of a relation that the caller may see. */
export function relatedCountSql(aliases: RowAliases, relation: Relation): SQL {
  const to = aliases.context.alias();
  return sql`(select count(*)::int from ${table(relation.target)} ${to} where ${relatedWhere(aliases, relation, to)})`;
}

/** Subselect: ids of owners with at least `minCount` related rows that the caller may see, counted in one pass. */
export function ownersSql(
  { caller, context }: Pick<RowAliases, 'caller' | 'context'>,
  { target, field }: Relation,
  minCount: number,
): SQL {
  const to = context.alias();
  context.reads(target.name);
  const steps = (field.back as string).split('.');
  const joins: SQL[] = [];
  let [entity, row] = [target, to];
  for (const step of steps.slice(0, -1)) {
    const relation = entity.relations.get(step) as Relation;
    const next = context.alias();
    context.reads(relation.target.name);
    joins.push(sql` join ${table(relation.target)} ${next} on ${next}.id = ${column(row, relation.fieldName)}`);
    [entity, row] = [relation.target, next];
  }
  const owner = column(row, steps.at(-1) as string);
  const countedWhere = sql`${notDeleted(to)} and ${scopeWhere(target, caller, to, context, true)}
    and ${owner} is not null`;
  return sql`select ${owner} from ${table(target)} ${to}${sql.join(joins, sql``)} where ${countedWhere} group by 1
    having count(*) >= ${sql.raw(String(minCount))}`;
}
