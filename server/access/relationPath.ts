/** SQL conditions on values along a path of relations; semi-joins, which never multiply rows. */
import { type SQL, sql } from 'drizzle-orm';
import type { Field } from '../../schema/dsl/field';
import type { ModelEntity, Relation } from '../context/services';
import { derivedSql } from './derivedSql';
import { column, hasState, linkTableOf, notDeleted, QueryContext, stateTableSql, table } from './entityModel';

export interface PathContext {
  context: QueryContext;
  /** Passed on to derived fields, whose SQL may depend on the caller. */
  caller: Parameters<typeof derivedSql>[1]['caller'];
  /** Further condition on the rows of to-many relations along the path. */
  targetWhere?: (relation: Relation, row: SQL) => SQL;
  /**
   * The start row is known not to be deleted, so the rows that it references are not deleted either. Repeating that as
   * a condition lets PostgreSQL use partial indexes along the path.
   */
  excludeDeleted?: boolean;
  /** The start row's alias, and the alias of its state row; absent if the statement does not join the state table. */
  state?: { row: SQL; alias: SQL } | undefined;
}

/** SQL condition: `test` passes for the value at the end of `path` (relations, then a field), starting at `row`. */
export function pathWhere(
  entity: ModelEntity,
  row: SQL,
  path: readonly string[],
  test: (value: SQL) => SQL,
  pathContext: PathContext,
): SQL {
  const [step = '', ...remainingSteps] = path;
  if (remainingSteps.length === 0) return fieldWhere(entity, row, step, test, pathContext);
  const relation = entity.relations.get(step);
  if (!relation) throw new Error(`${entity.name} has no relation ${step}`);
  return stepWhere({
    entity,
    row,
    relation,
    remainingWhere: (target, further) => pathWhere(relation.target, target, remainingSteps, test, further),
    remainingSteps,
    test,
    pathContext,
  });
}

interface StepWhereInput {
  entity: ModelEntity;
  row: SQL;
  relation: Relation;
  remainingWhere: (target: SQL, pathContext: PathContext) => SQL;
  remainingSteps: readonly string[];
  test: (value: SQL) => SQL;
  pathContext: PathContext;
}

function stepWhere({ entity, row, relation, remainingWhere, remainingSteps, test, pathContext }: StepWhereInput): SQL {
  const { field, target } = relation;
  const endsAtId = remainingSteps.length === 1 && remainingSteps[0] === 'id' && !pathContext.targetWhere;
  if (field.kind === 'ref' && field.through) {
    return pathWhere(entity, row, [field.through, relation.name, ...remainingSteps], test, pathContext);
  }
  if (field.kind === 'ref') {
    if (endsAtId) return test(column(row, relation.fieldName));
    const to = pathContext.context.alias();
    pathContext.context.reads(target.name);
    return sql`${column(row, relation.fieldName)} in (select ${to}.id from ${table(target)} ${to}
      where ${remainingWhere(to, pathContext)}${pathContext.excludeDeleted ? sql` and ${notDeleted(to)}` : undefined})`;
  }
  const further = { ...pathContext, excludeDeleted: true };
  const to = pathContext.context.alias();
  const targetWhere = pathContext.targetWhere ? sql` and ${pathContext.targetWhere(relation, to)}` : sql``;
  pathContext.context.reads(target.name);
  if (field.kind === 'refs') {
    const link = linkTableOf(entity, field);
    const linkAlias = pathContext.context.alias();
    pathContext.context.reads(link.name);
    if (endsAtId)
      return sql`${row}.id in (select ${linkAlias}.${link.ownColumn} from ${link.table} ${linkAlias}
        where ${test(sql`${linkAlias}.${link.otherColumn}`)})`;
    return sql`${row}.id in (select ${linkAlias}.${link.ownColumn} from ${link.table} ${linkAlias}
      join ${table(target)} ${to} on ${to}.id = ${linkAlias}.${link.otherColumn} where ${notDeleted(to)}
      and ${remainingWhere(to, further)}${targetWhere})`;
  }
  const backSteps = (field.back as string).split('.');
  if (backSteps.length === 1) {
    return sql`${row}.id in (select ${column(to, backSteps[0] as string)} from ${table(target)} ${to}
      where ${notDeleted(to)}
      and ${remainingWhere(to, further)}${targetWhere})`;
  }
  const backContext = { ...further, targetWhere: undefined };
  return sql`exists (select 1 from ${table(target)} ${to} where ${notDeleted(to)}
    and ${pathWhere(target, to, backSteps, (value) => sql`${value} = ${row}.id`, backContext)}
    and ${remainingWhere(to, further)}${targetWhere})`;
}

function fieldWhere(
  entity: ModelEntity,
  row: SQL,
  name: string,
  test: (value: SQL) => SQL,
  pathContext: PathContext,
): SQL {
  const field = entity.fields[name];
  if (!field) throw new Error(`${entity.name} has no field ${name}`);
  if (field.kind === 'refs') {
    const link = linkTableOf(entity, field);
    const linkAlias = pathContext.context.alias();
    pathContext.context.reads(link.name);
    return sql`${row}.id in (select ${linkAlias}.${link.ownColumn} from ${link.table} ${linkAlias}
      where ${test(sql`${linkAlias}.${link.otherColumn}`)})`;
  }
  if (field.store === 'state') {
    pathContext.context.reads(`${entity.name}_state`);
    if (pathContext.state?.row === row) return test(column(pathContext.state.alias, name));
    const state = pathContext.context.alias();
    return sql`${row}.id in (select ${state}.id from ${stateTableSql(entity)} ${state}
      where ${test(column(state, name))})`;
  }
  if (field.store !== 'derived') return test(column(row, name));
  if (field.kind === 'ref' && field.through) return pathWhere(entity, row, [field.through, name], test, pathContext);
  // Derived SQL does not declare which tables it reads, so counts that depend on it are not cached.
  pathContext.context.reads('*');
  const state = pathContext.context.alias();
  const value = derivedSql(entity, { name, row, state, caller: pathContext.caller });
  return hasState(entity)
    ? sql`exists (select 1 from ${stateTableSql(entity)} ${state} where ${state}.id = ${row}.id and ${test(value)})`
    : test(value);
}

/**
 * Subselect of the values at the end of `path` that satisfy `matches`; `pathWhere` tests the same values. The path must
 * end at a column of a table, and the way back of each of its to-many relations must be a single step.
 */
export function pathValuesSql(
  entity: ModelEntity,
  row: SQL,
  path: readonly string[],
  matches: (value: SQL) => SQL,
): SQL {
  const context = new QueryContext('p');
  const [tables, conditions]: [SQL[], SQL[]] = [[], []];
  const join = (target: ModelEntity, condition: (to: SQL) => SQL): SQL => {
    const to = context.alias();
    tables.push(sql`${table(target)} ${to}`);
    conditions.push(condition(to));
    return to;
  };
  const joinLink = (entity: ModelEntity, from: SQL, field: Field): SQL => {
    const [link, to] = [linkTableOf(entity, field), context.alias()];
    tables.push(sql`${link.table} ${to}`);
    conditions.push(sql`${to}.${link.ownColumn} = ${from}.id`);
    return sql`${to}.${link.otherColumn}`;
  };
  const walk = (
    entity: ModelEntity,
    from: SQL,
    [step = '', ...further]: readonly string[],
    excludeDeleted: boolean,
  ): SQL => {
    if (further.length === 0) {
      const field = entity.fields[step];
      if (field?.kind === 'refs') return joinLink(entity, from, field);
      if (field?.kind === 'ref' && field.through) return walk(entity, from, [field.through, step], excludeDeleted);
      if (!field || field.store === 'derived' || field.store === 'state')
        throw new Error(`${entity.name}.${step} is not a column`);
      return column(from, step);
    }
    const relation = entity.relations.get(step);
    if (!relation) throw new Error(`${entity.name} has no relation ${step}`);
    const { field, target } = relation;
    const endsAtId = further.length === 1 && further[0] === 'id';
    if (field.kind === 'ref' && field.through)
      return walk(entity, from, [field.through, step, ...further], excludeDeleted);
    if (field.kind === 'ref') {
      const reference = column(from, relation.fieldName);
      if (endsAtId) return reference;
      return walk(
        target,
        join(target, (to) => sql`${to}.id = ${reference}${excludeDeleted ? sql` and ${notDeleted(to)}` : undefined}`),
        further,
        excludeDeleted,
      );
    }
    if (field.kind === 'refs') {
      const other = joinLink(entity, from, field);
      return endsAtId
        ? other
        : walk(
            target,
            join(target, (to) => sql`${to}.id = ${other} and ${notDeleted(to)}`),
            further,
            true,
          );
    }
    return walk(
      target,
      join(target, (to) => sql`${column(to, field.back as string)} = ${from}.id and ${notDeleted(to)}`),
      further,
      true,
    );
  };
  const value = walk(entity, row, path, false);
  const from = tables.length === 0 ? undefined : sql` from ${sql.join(tables, sql`, `)}`;
  return sql`select ${value}${from} where ${sql.join([...conditions, matches(value)], sql` and `)}`;
}

/**
 * SQL condition: `relation` leads from `row` to the row `to` of the target's table. Includes deleted rows. Does not
 * record every table that it reads, so counts that depend on it must not be cached.
 */
export function relationWhere(
  entity: ModelEntity,
  row: SQL,
  relation: Relation,
  to: SQL,
  pathContext: PathContext,
): SQL {
  const { field, target } = relation;
  if (field.kind === 'ref' && field.through) {
    const linkAlias = pathContext.context.alias();
    const middle = entity.relations.get(field.through) as Relation;
    return sql`${to}.id = (select ${column(linkAlias, relation.fieldName)} from ${table(middle.target)} ${linkAlias}
      where ${linkAlias}.id = ${column(row, middle.fieldName)})`;
  }
  if (field.kind === 'ref') return sql`${to}.id = ${column(row, relation.fieldName)}`;
  if (field.kind === 'refs') {
    const link = linkTableOf(entity, field);
    const linkAlias = pathContext.context.alias();
    return sql`${to}.id in (select ${linkAlias}.${link.otherColumn} from ${link.table} ${linkAlias}
      where ${linkAlias}.${link.ownColumn} = ${row}.id)`;
  }
  return pathWhere(target, to, (field.back as string).split('.'), (value) => sql`${value} = ${row}.id`, {
    ...pathContext,
    targetWhere: undefined,
    excludeDeleted: true,
  });
}
