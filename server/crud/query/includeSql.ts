/** `include=`: related rows as JSON, or their count, within the caller's scope. */
import { type SQL, sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import { hasState, stateTableSql, table } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity, Relation } from '../../context/services';
import { isColumn, jsonSql, type RowAliases, readableFields } from './fields';
import { mayFollowRelation } from './filterNames';
import { relatedCountSql, relatedWhere } from './related';

/** Column of a row in the response. */
export interface ResponseColumn {
  key: string;
  value: SQL;
  /** Whether the SQL value is a column of this name, which needs no alias. */
  isNamed?: boolean;
}

const maxDepth = 3;

export function allowedIncludes(entity: ModelEntity, caller: Caller): string[] {
  return [...entity.relations.values()]
    .filter((relation) => mayFollowRelation(relation, caller))
    .flatMap(({ name, isToOne }) => (isToOne ? [name] : [name, `${name}Count`]));
}

/** Columns of the requested includes, such as `fleet`, `fleet.client`, `machinesCount`. Throws 400 for unknown ones. */
export function includeSql(
  aliases: RowAliases,
  requestedPaths: readonly string[],
  sparseFields: Record<string, string[]>,
): ResponseColumn[] {
  const allowedNames = new Set(allowedIncludes(aliases.entity, aliases.caller));
  const nestedPathsByName = new Map<string, Set<string>>();
  const unknownPaths = new Set<string>();
  for (const path of requestedPaths) {
    const [first = '', ...rest] = path.split('.');
    if (!allowedNames.has(first) || rest.length >= maxDepth || (first.endsWith('Count') && rest.length > 0))
      unknownPaths.add(path);
    else {
      const nestedPaths = nestedPathsByName.get(first) ?? new Set<string>();
      if (rest.length > 0) nestedPaths.add(rest.join('.'));
      nestedPathsByName.set(first, nestedPaths);
    }
  }
  if (unknownPaths.size > 0) throw ApiError.notAllowed('include', [...unknownPaths], [...allowedNames]);
  return [...nestedPathsByName].map(([name, nestedPaths]) => {
    const countedRelation = aliases.entity.relations.get(name)
      ? undefined
      : aliases.entity.relations.get(name.replace(/Count$/, ''));
    if (countedRelation)
      return { key: `${countedRelation.name}_count`, value: relatedCountSql(aliases, countedRelation) };
    return {
      key: name,
      value: rowsSql(aliases, {
        relation: aliases.entity.relations.get(name) as Relation,
        nestedPaths: [...nestedPaths],
        sparseFields,
      }),
    };
  });
}

function rowsSql(
  aliases: RowAliases,
  {
    relation,
    nestedPaths,
    sparseFields,
  }: { relation: Relation; nestedPaths: string[]; sparseFields: Record<string, string[]> },
): SQL {
  const { target } = relation;
  const to = aliases.context.alias();
  const state = aliases.context.alias();
  const targetAliases: RowAliases = { ...aliases, entity: target, row: to, state };
  const columns = rowColumns(targetAliases, sparseFields[target.name]);
  const includedColumns = includeSql(targetAliases, nestedPaths, sparseFields);
  const rowAlias = aliases.context.alias();
  const from = sql`(select ${columnsSql([...columns, ...includedColumns])}
    from ${table(target)}
    ${to}${hasState(target) ? sql` join ${stateTableSql(target)} ${state} on ${state}.id = ${to}.id` : sql``}
    where ${relatedWhere(aliases, relation, to)}${relation.isToOne ? undefined : sql` order by ${to}.id`}) ${rowAlias}`;
  return relation.isToOne
    ? sql`(select row_to_json(${rowAlias}) from ${from})`
    : sql`(select coalesce(json_agg(${rowAlias}), '[]') from ${from})`;
}

/** Columns of a row: all readable fields, or the requested ones. Throws 400 for unknown ones. */
export function rowColumns(aliases: RowAliases, requestedNames: readonly string[] | undefined): ResponseColumn[] {
  const names = readableFields(aliases.entity, aliases.caller);
  const unknownNames = (requestedNames ?? []).filter((name) => !names.includes(name));
  if (unknownNames.length > 0) throw ApiError.notAllowed('field', unknownNames, names);
  return names
    .filter((name) => !requestedNames || requestedNames.includes(name))
    .map((name) => ({
      key: name,
      value: jsonSql(aliases, name),
      isNamed: isColumn(aliases.entity.fields[name] as Field),
    }));
}

export const columnsSql = (columns: readonly ResponseColumn[]): SQL =>
  sql.join(
    columns.map(({ key, value, isNamed }) => (isNamed ? value : sql`${value} as ${sql.identifier(key)}`)),
    sql`, `,
  );
