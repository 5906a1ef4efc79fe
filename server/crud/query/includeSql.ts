/** `include=`: related rows as JSON, or their count, within the caller's scope. */
import { type SQL, sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import { hasState, stateTableSql, table } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity, Relation } from '../../context/services';
import { isColumn, jsonSql, type RowAliases, readableFields } from './fields';
import { mayFollowRelation } from './filterSql';
import { relatedCountSql, relatedWhere } from './related';

/** Column of the response in addition to the fields. */
export interface ExtraColumn {
  key: string;
  value: SQL;
  /** Whether the SQL value already has this name. */
  named?: boolean;
}

const maxDepth = 3;

export function allowedIncludes(entity: ModelEntity, caller: Caller): string[] {
  return [...entity.relations.values()]
    .filter((relation) => mayFollowRelation(relation, caller))
    .flatMap(({ name, isToOne }) => (isToOne ? [name] : [name, `${name}Count`]));
}

/** Columns of the requested includes (`fleet`, `fleet.client`, `machinesCount`). Throws 400 for unknown ones. */
export function includeSql(
  at: RowAliases,
  requested: readonly string[],
  sparse: Record<string, string[]>,
): ExtraColumn[] {
  const allowed = new Set(allowedIncludes(at.entity, at.caller));
  const nested = new Map<string, Set<string>>();
  const unknown = new Set<string>();
  for (const path of requested) {
    const [first = '', ...rest] = path.split('.');
    if (!allowed.has(first) || rest.length >= maxDepth || (first.endsWith('Count') && rest.length > 0))
      unknown.add(path);
    else {
      const further = nested.get(first) ?? new Set<string>();
      if (rest.length > 0) further.add(rest.join('.'));
      nested.set(first, further);
    }
  }
  if (unknown.size > 0) throw ApiError.notAllowed('include', [...unknown], [...allowed]);
  return [...nested].map(([name, further]) => {
    const counted = at.entity.relations.get(name) ? undefined : at.entity.relations.get(name.replace(/Count$/, ''));
    if (counted) return { key: `${counted.name}_count`, value: relatedCountSql(at, counted) };
    return {
      key: name,
      value: rowsSql(at, { relation: at.entity.relations.get(name) as Relation, further: [...further], sparse }),
    };
  });
}

function rowsSql(
  at: RowAliases,
  { relation, further, sparse }: { relation: Relation; further: string[]; sparse: Record<string, string[]> },
): SQL {
  const { target } = relation;
  const to = at.context.alias();
  const state = at.context.alias();
  const inner: RowAliases = { ...at, entity: target, row: to, state };
  const columns = rowColumns(inner, sparse[target.name]);
  const added = includeSql(inner, further, sparse);
  const rowAlias = at.context.alias();
  const from = sql`(select ${columnsSql([...columns, ...added])}
    from ${table(target)}
    ${to}${hasState(target) ? sql` join ${stateTableSql(target)} ${state} on ${state}.id = ${to}.id` : sql``}
    where ${relatedWhere(at, relation, to)}${relation.isToOne ? undefined : sql` order by ${to}.id`}) ${rowAlias}`;
  return relation.isToOne
    ? sql`(select row_to_json(${rowAlias}) from ${from})`
    : sql`(select coalesce(json_agg(${rowAlias}), '[]') from ${from})`;
}

/** Columns of a row: all readable fields, or the requested ones. Throws 400 for unknown ones. */
export function rowColumns(at: RowAliases, requested: readonly string[] | undefined): ExtraColumn[] {
  const names = readableFields(at.entity, at.caller);
  const unknown = (requested ?? []).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw ApiError.notAllowed('field', unknown, names);
  return names
    .filter((name) => !requested || requested.includes(name))
    .map((name) => ({ key: name, value: jsonSql(at, name), named: isColumn(at.entity.fields[name] as Field) }));
}

export const columnsSql = (columns: readonly ExtraColumn[]): SQL =>
  sql.join(
    columns.map(({ key, value, named }) => (named ? value : sql`${value} as ${sql.identifier(key)}`)),
    sql`, `,
  );
