/** `GET /{r}/facets`: counts per value over the filtered list, each facet ignoring its own filter. */
import { type SQL, sql } from 'drizzle-orm';
import { bucketField } from '../../../schema/dsl/buckets';
import type { Field } from '../../../schema/dsl/field';
import { type ListQuery, parseListQuery } from '../../../schema/dsl/listQuery';
import { column, hasState, linkTableOf, notDeleted, QueryContext, stateJoin, table } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import { titleSql } from '../../access/titleSql';
import { type Caller, requirePermission } from '../../context/caller';
import type { ModelEntity } from '../../context/services';
import type { Database } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { choiceOf } from '../../i18n/messages';
import { bucketValueSql, isBucket } from '../query/buckets';
import { comparableSql, isReadableField, type RowAliases } from '../query/fields';
import { mayFollowRelation, mayUseBucket } from '../query/filterNames';
import { matchWhere } from '../query/selectStatements';
import { callerKey } from '../query/statementCache';

/** Maximum values of a facet; the most frequent are returned. */
const maxValues = 100;

export interface FacetValue {
  /** Value for the filter of the facet's name; null for rows without a value. */
  value: string | number | boolean | null;
  label: string | null;
  count: number;
}

/** Returns the counts by facet, in declared order, without facets of entities that the caller may not see. */
export async function readFacets(
  db: Database,
  entity: ModelEntity,
  caller: Caller,
  search: string,
): Promise<Record<string, FacetValue[]>> {
  requirePermission(caller, `${entity.name}.list`);
  const query = parseListQuery(search);
  const names = entity.list.facets.filter((name) => mayGroupBy(entity, caller, name));
  if (names.length === 0) return {};
  const counts = await cachedCounts(db, { entity, caller, query, names });
  return Object.fromEntries(names.map((name) => [name, addLabels(entity, caller, name, counts[name] ?? [])]));
}

const m = sql.raw('m');
const s = sql.raw('s');

const fieldOf = (entity: ModelEntity, name: string) => (bucketField(entity, name) ?? entity.fields[name]) as Field;

/** Whether the caller may read the field, and the rows that it references. */
export function mayGroupBy(entity: ModelEntity, caller: Caller, name: string): boolean {
  const field = fieldOf(entity, name);
  if (!isReadableField(field, caller) || !mayUseBucket(entity, caller, name)) return false;
  const relation = [...entity.relations.values()].find(({ fieldName }) => fieldName === name);
  return !relation || mayFollowRelation(relation, caller);
}

interface FacetRequest {
  entity: ModelEntity;
  caller: Caller;
  query: ListQuery;
  names: readonly string[];
}
type CountsByFacet = Record<string, FacetValue[]>;

const countsBySource = new WeakMap<object, Map<string, { version: number; counts: CountsByFacet }>>();
const maxCachedEntries = 200;

/**
 * Returns the counts of facets, from the cache while they are exact: they are cached with the sum of write counts of
 * their tables, which the statement compares in its own snapshot.
 */
async function cachedCounts(db: Database, request: FacetRequest): Promise<CountsByFacet> {
  const cache = countsBySource.get(db.source) ?? new Map();
  countsBySource.set(db.source, cache);
  const key = JSON.stringify([request.entity.name, callerKey(request.caller), request.query.filter]);
  const cachedEntry = cache.get(key);
  const context = new QueryContext();
  const counts = allCountsSql(request, context);
  if (context.tables.has('*'))
    return (await db.selectOne({ counts: pg.json<CountsByFacet>() }, sql`select ${counts} as counts`))?.counts ?? {};
  const tables = sql.param([...context.tables].sort());
  const row = await db.selectOne(
    { version: pg.double, counts: pg.json<CountsByFacet>().nullable },
    sql`
    select v.version, case when v.version = ${cachedEntry?.version ?? -1}::float8 then null else ${counts} end as counts
    from (select coalesce(sum(n), 0)::float8 as version from write_counts where relation = any(${tables}::text[])) v`,
  );
  if (!row) return {};
  const entry = { version: row.version, counts: row.counts ?? cachedEntry?.counts ?? {} };
  cache.delete(key);
  cache.set(key, entry);
  if (cache.size > maxCachedEntries) cache.delete(cache.keys().next().value as string);
  return entry.counts;
}

/**
 * SQL: all counts as one JSON object. Facets under the same filters share one pass, so that a search over 100,000 rows
 * runs once; facets that are filtered themselves, or multi-valued, are counted separately.
 */
function allCountsSql(request: FacetRequest, context: QueryContext): SQL {
  const { entity, query, names } = request;
  const filteredNames = new Set(query.filter.map(({ path }) => path));
  const sharedNames = names.filter(
    (name) => !filteredNames.has(name) && !['refs', 'tags'].includes(fieldOf(entity, name).kind),
  );
  const columns = sharedNames.map((name) => sql.identifier(`v${names.indexOf(name)}`));
  const values = sharedNames.map(
    (name, index) => sql`${facetGrouping(mainAliases(request, context), name).value} as ${columns[index]}`,
  );
  const positions = sql.raw(sharedNames.map((_, index) => index + 1).join(', '));
  const joins = sharedNames.some((name) => readsState(entity, name)) ? stateJoin(entity) : sql``;
  const baseSql = sql`with base as materialized (select ${sql.join([...values, sql`count(*)::int as count`], sql`, `)}
    from ${table(entity)} m${joins} where ${matchWhere(request, context)} group by ${positions})`;
  const groupsOf = (name: string) => {
    const index = sharedNames.indexOf(name);
    return index < 0
      ? separateGroupsSql(request, name, context)
      : sql`select ${columns[index]} as value, sum(count)::int as count from base group by 1`;
  };
  const members = names.flatMap((name) => [
    sql`${name}::text`,
    groupsSql(request, { name, groups: groupsOf(name) }, context),
  ]);
  return sql`(${sharedNames.length > 0 ? baseSql : sql``} select json_build_object(${sql.join(members, sql`, `)}))`;
}

function separateGroupsSql(request: FacetRequest, name: string, context: QueryContext): SQL {
  const { entity, query } = request;
  const unfilteredQuery = { ...query, filter: query.filter.filter(({ path }) => path !== name) };
  const { value, joins } = facetGrouping(mainAliases(request, context), name);
  const state = readsState(entity, name) ? stateJoin(entity) : sql``;
  return sql`select ${value} as value, count(*)::int as count from ${table(entity)} m${state}${joins}
    where ${matchWhere({ ...request, query: unfilteredQuery }, context)} group by 1`;
}

/**
 * SQL: the groups as JSON array, largest first. References have the title of their row as label; groups of rows that
 * the caller may not see are omitted.
 */
function groupsSql(
  { entity, caller }: FacetRequest,
  { name, groups }: { name: string; groups: SQL },
  context: QueryContext,
): SQL {
  const field = fieldOf(entity, name);
  const members = sql`'value', g.value, 'count', g.count`;
  if (field.kind !== 'ref' && field.kind !== 'refs')
    return sql`(select coalesce(json_agg(json_build_object(${members}, 'label', null) order by g.count desc, g.value),
      '[]') from (${groups} order by 2 desc limit ${maxValues}::int) g)`;
  const target = entity.model.require(field.to as string);
  const t = context.alias();
  context.reads(target.name);
  const title = titleSql(target, { row: t, language: caller.language });
  const visibleWhere = sql`${notDeleted(t)} and ${scopeWhere(target, caller, t, context)}`;
  return sql`(select coalesce(json_agg(json_build_object(${members}, 'label', g.label) order by g.count desc, g.label),
    '[]') from (
    select g.value, g.count, case when ${t}.id is not null then ${title} end as label from (${groups}) g
    left join ${table(target)} ${t} on ${t}.id = g.value and ${visibleWhere}
    where g.value is null or ${t}.id is not null order by g.count desc, 3 limit ${maxValues}::int) g)`;
}

const mainAliases = ({ entity, caller }: FacetRequest, context: QueryContext): RowAliases => ({
  entity,
  row: m,
  state: s,
  caller,
  context,
});

const readsState = (entity: ModelEntity, name: string): boolean =>
  isBucket(entity, name) ? hasState(entity) : entity.fields[name]?.store === 'state';

/** Grouping expression of a facet, and the joins that it needs in addition to that of the side table. */
function facetGrouping(aliases: RowAliases, name: string): { value: SQL; joins: SQL } {
  const { entity, row, context } = aliases;
  if (isBucket(entity, name)) return { value: bucketValueSql(aliases, name), joins: sql`` };
  const field = fieldOf(entity, name);
  if (field.kind === 'refs') {
    const link = linkTableOf(entity, field);
    const to = context.alias();
    context.reads(link.name);
    return {
      value: sql`${to}.${link.otherColumn}`,
      joins: sql` join ${link.table} ${to} on ${to}.${link.ownColumn} = ${row}.id`,
    };
  }
  if (field.kind === 'tags') {
    const tag = context.alias();
    return { value: sql`${tag}.tag`, joins: sql` cross join unnest(${column(row, name)}) as ${tag}(tag)` };
  }
  if (readsState(entity, name)) context.reads(`${entity.name}_state`);
  return { value: comparableSql(aliases, name), joins: sql`` };
}

/** Labels values in the reader's language; a closed set keeps its own order and includes values without rows. */
function addLabels(entity: ModelEntity, caller: Caller, name: string, groups: readonly FacetValue[]): FacetValue[] {
  const field = fieldOf(entity, name);
  if (!field.choices)
    return groups.map((group) => ({
      ...group,
      label: group.label ?? (group.value === null ? null : String(group.value)),
    }));
  const labelFor = (value: string) => {
    const bucket = entity.buckets[name];
    return bucket && 'of' in bucket
      ? value.replace('-', '–')
      : choiceOf(caller.language, entity, { field: name, value });
  };
  return field.choices.map((value) => ({
    value,
    label: labelFor(value),
    count: groups.find((group) => group.value === value)?.count ?? 0,
  }));
}
