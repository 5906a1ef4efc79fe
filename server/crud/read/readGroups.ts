/** `GET /{r}/groups`: the filtered list grouped by one field, with counts and sums, in one statement. */
import { type SQL, sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import { additiveFields, groupableFields, groupingOf } from '../../../schema/dsl/grouping';
import { type ListQuery, parseListQuery } from '../../../schema/dsl/listQuery';
import { notDeleted, QueryContext, stateJoin, table } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import { titleSql } from '../../access/titleSql';
import { type Caller, requirePermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import { collatedSql } from '../../db/core/columns';
import type { Database } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { pageParameters } from '../../http/queryParameters';
import { choiceOf } from '../../i18n/messages';
import { isReadableField, type RowAliases, valueSql } from '../query/fields';
import { matchWhere } from '../query/selectStatements';
import { mayGroupBy } from './readFacets';
import { printPagination } from './readList';

export const groupParameters = ['by', 'sums', 'filter', ...pageParameters] as const;

interface ListGroup {
  /** Value of the field; a month as `YYYY-MM`; null for rows without a value. */
  value: string | number | boolean | null;
  /** Label in the reader's language; null without a value, and for a row that the reader may not see. */
  label: string | null;
  count: number;
  /** Sums by field; null if no row of the group has a value. Money is a decimal string. */
  sums: Record<string, number | string | null>;
}

interface GroupRequest {
  entity: ModelEntity;
  caller: Caller;
  query: ListQuery;
  by: string;
  sums: readonly string[];
}

/** One page of groups as JSON text, in the envelope of lists. Throws 400 for fields that have no groups or no sums. */
export async function readGroups(
  db: Database,
  entity: ModelEntity,
  caller: Caller,
  { search, path }: { search: string; path: string },
): Promise<string> {
  requirePermission(caller, `${entity.name}.list`);
  const parameters = new URLSearchParams(search);
  const by = parameters.get('by') ?? '';
  const sums = [...new Set((parameters.get('sums') ?? '').split(',').filter((name) => name !== ''))];
  const groupableNames = groupableFields(entity).filter((name) => mayGroupBy(entity, caller, name));
  if (!groupableNames.includes(by)) throw ApiError.notAllowed('group', [by], groupableNames);
  const summableNames = additiveFields(entity).filter((name) => isReadableField(entity.fields[name] as Field, caller));
  const unknownNames = sums.filter((name) => !summableNames.includes(name));
  if (unknownNames.length > 0) throw ApiError.notAllowed('sum', unknownNames, summableNames);
  const query = parseListQuery(search);
  const result = await db.selectOne(
    { total: pg.integer, data: pg.json<ListGroup[]>() },
    groupsSql({ entity, caller, query, by, sums }),
  );
  const { total = 0, data = [] } = result ?? {};
  const groups = data.map((group) => ({ ...group, label: labelOf(entity, caller, by, group) }));
  return `{"data":${JSON.stringify(groups)},${printPagination(query, total, { search, path })}}`;
}

const m = sql.raw('m');
const s = sql.raw('s');

/** SQL: columns `total`, the number of groups, and `data`, one page of them. */
function groupsSql(request: GroupRequest): SQL {
  const { entity, caller, query, by, sums } = request;
  const context = new QueryContext();
  const aliases = { entity, row: m, state: s, caller, context };
  const sumColumns = sums.map((name, index) => sql`, ${sumSql(aliases, name)} as ${sql.identifier(`s${index}`)}`);
  const isInRow = [by, ...sums].every((name) => (entity.fields[name]?.store ?? 'row') === 'row');
  const state = isInRow ? sql`` : stateJoin(entity);
  const value = groupValueSql(aliases, by);
  const groups = sql`select ${value} as value, count(*)::int as count${sql.join(sumColumns, sql``)}
    from ${table(entity)} m${state} where ${matchWhere(request, context)} group by 1`;
  const { label, joins, order } = labelSql(request, context);
  const sumMembers = sums.map((name, index) => sql`${name}::text, p.${sql.identifier(`s${index}`)}`);
  return sql`with value_groups as materialized (${groups})
    select (select count(*) from value_groups)::int as total, coalesce(json_agg(json_build_object('value', p.value,
      'label', p.label, 'count', p.count,
        'sums', json_build_object(${sql.join(sumMembers, sql`, `)})) order by p.position), '[]')
      as data
    from (select g.*, ${label} as label, row_number() over (order by ${order}) as position from value_groups g${joins}
      order by position limit ${query.per_page}::int offset ${(query.page - 1) * query.per_page}::bigint) p`;
}

/** SQL: the value by which rows are grouped; months in the caller's time zone, as in filters by day. */
function groupValueSql(aliases: RowAliases, name: string): SQL {
  const field = aliases.entity.fields[name] as Field;
  const value = valueSql(aliases, name);
  if (groupingOf(field) === 'value') return value;
  const localTime =
    field.kind === 'instant' ? sql`${value} at time zone ${aliases.caller.timeZone ?? 'UTC'}::text` : value;
  return sql`to_char(${localTime}, 'YYYY-MM')`;
}

/** SQL: the sum of a field. Adds floating-point numbers as decimals, so that the order of rows does not matter. */
function sumSql(aliases: RowAliases, name: string): SQL {
  const value = valueSql(aliases, name);
  const kind = aliases.entity.fields[name]?.kind;
  const { summedWhere } = aliases.entity.hooks;
  const where = summedWhere && sql` filter (where ${summedWhere(aliases.row)})`;
  return kind === 'money' ? sql`sum(${value})${where}::text` : sql`sum((${value})::numeric)${where}`;
}

/**
 * SQL of a group's label, of the joins that the label needs, and of the order of groups: choices in declared order,
 * rows by title, the latest month first; the group without a value last.
 */
function labelSql({ entity, caller, by }: GroupRequest, context: QueryContext) {
  const field = entity.fields[by] as Field;
  const noLabel = { label: sql`null::text`, joins: sql`` };
  if (groupingOf(field) === 'month') return { ...noLabel, order: sql`g.value desc nulls last` };
  if (field.kind !== 'ref') {
    const position = sql`array_position(${sql.param([...(field.choices ?? [])])}::text[], g.value::text)`;
    return { ...noLabel, order: field.choices ? sql`${position}, g.value` : sql`g.value desc nulls last` };
  }
  const target = entity.model.require(field.to as string);
  const t = context.alias();
  const title = titleSql(target, { row: t, language: caller.language });
  return {
    label: sql`case when ${t}.id is not null then ${title} end`,
    joins: sql` left join ${table(target)} ${t} on ${t}.id = g.value and ${notDeleted(t)}
      and ${scopeWhere(target, caller, t, context)}`,
    order: sql`case when ${t}.id is not null then ${collatedSql(title)} end nulls last, g.value`,
  };
}

function labelOf(entity: ModelEntity, { language }: Caller, by: string, { value, label }: ListGroup): string | null {
  if (value === null || entity.fields[by]?.kind === 'ref') return label;
  return entity.fields[by]?.choices ? choiceOf(language, entity, { field: by, value: String(value) }) : String(value);
}
