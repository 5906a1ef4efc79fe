/**
 * Sums every level of a report in one statement. All lines use the same expressions over their rows, so totals always
 * match their members.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ReportLevel } from '../../../schema/features/reports';
import { collatedSql } from '../../db/core/columns';

/** A level of a report: its key, name and order. Rows with the same key have the same name. */
export interface ReportLevelSql {
  level: ReportLevel;
  id: SQL;
  name: SQL;
  /** Needed if names are days or numbers; other names sort as text. */
  order?: SQL;
}

/** Range of lines to read, counted from 0. The total is not counted. */
export interface LineRange {
  from: number;
  count: number;
}

interface LevelSumsRequest {
  levels: readonly ReportLevelSql[];
  /** Lowest level of the lines. */
  by: ReportLevel;
  /** Aggregates by column. `isSingle` is true on lines of the last level, which stand for one row. */
  values: (isSingle: SQL) => Record<string, SQL>;
  /** The rows to sum; each of them is one line of the last level. */
  from: SQL;
  range: LineRange | undefined;
  groups?: GroupSums;
}

/** Sums per group of the innermost level but one, for reports whose groups cost less to sum than all their rows. */
interface GroupSums {
  /** Like `from`, but a row for each group, with its id as `group_id`. */
  rows: SQL;
  /** Like `from`, but only of the groups of a query of ids. */
  members(ids: SQL): SQL;
  /** Number of rows of a group, as an aggregate. */
  size: SQL;
}

/**
 * SQL: rows `(level, id, name, ...values)` with groups before their members and the total last. With a range, only its
 * lines and the total; `line_count` is then the number of all lines without the total.
 */
export function levelSumsSql(request: LevelSumsRequest): SQL {
  return request.range ? rangeSql(request, request.range) : allSql(request);
}

/** Without the names: PostgreSQL then hashes the rows instead of sorting 100,000 texts on disk. */
const keysOf = (levels: readonly ReportLevelSql[]) => levels.flatMap(({ id, order }) => (order ? [id, order] : [id]));
const nameSql = ({ name }: ReportLevelSql) => sql`min((${name})::text)`;
const joinSql = (expressions: readonly SQL[]) => sql.join([...expressions], sql`, `);
const groupingSetsSql = (levels: readonly ReportLevelSql[]) =>
  joinSql(
    [levels, ...levels.map((_, index) => levels.slice(0, index))].map(
      (groupedLevels) => sql`(${joinSql(keysOf(groupedLevels))})`,
    ),
  );
const levelsDownTo = ({ levels, by }: LevelSumsRequest) =>
  levels.slice(0, levels.findIndex(({ level }) => level === by) + 1);
const columnsSql = (values: Record<string, SQL>) =>
  Object.entries(values).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`);
const isWhole = ({ id }: ReportLevelSql) => sql`grouping(${id}) = 1`;

/** `(level, id, name)` of a line, taken from its innermost level. */
function titlesSql(levels: readonly ReportLevelSql[]): SQL {
  const perLevel = (columnOf: (level: ReportLevelSql) => SQL, totalColumn: SQL) =>
    levels.length === 0
      ? totalColumn
      : sql`case ${sql.join(
          [...levels].reverse().map((level) => sql`when grouping(${level.id}) = 0 then ${columnOf(level)}`),
          sql` `,
        )} else ${totalColumn} end`;
  return sql`${perLevel(({ level }) => sql`${level}`, sql`'total'`)} as level,
    ${perLevel(({ id }) => sql`(${id})::text`, sql`null::text`)} as id,
    ${perLevel(nameSql, sql`null::text`)} as name`;
}

const orderOf = (levels: readonly ReportLevelSql[]) =>
  levels.flatMap((level, index) => [
    sql`${isWhole(level)}${sql.raw(index === 0 ? '' : ' desc')}`,
    level.order ?? collatedSql(nameSql(level)),
    level.id,
  ]);

function allSql(request: LevelSumsRequest): SQL {
  const { levels, by, values, from } = request;
  const summedLevels = levelsDownTo(request);
  const last = levels.at(-1) as ReportLevelSql;
  const isSingle = by === last.level ? sql`grouping(${last.id}) = 0` : sql`false`;
  return sql`select ${titlesSql(summedLevels)}, ${joinSql(columnsSql(values(isSingle)))}
    from ${from} group by grouping sets (${groupingSetsSql(summedLevels)}) order by ${joinSql(orderOf(summedLevels))}`;
}

/**
 * Sums and counts the groups first. Members are summed and sorted only in groups that the range touches, because a
 * large fleet has many more members than anybody reads.
 */
function rangeSql(request: LevelSumsRequest, range: LineRange): SQL {
  const { levels, by, values, from, groups } = request;
  const summedLevels = levelsDownTo(request);
  const [outer, inner] = [summedLevels.slice(0, -1), summedLevels.at(-1) as ReportLevelSql];
  const isLast = by === levels.at(-1)?.level;
  const members = isLast
    ? (groups?.size ?? sql`count(*)`)
    : sql`count(distinct ${inner.id}) + bool_or(${inner.id} is null)::int`;
  const innermost = outer.at(-1);
  const keyOf = ({ id }: ReportLevelSql) => sql`coalesce((${id})::text, '')`;
  const keyNames = outer.map((_, index) => sql`${sql.identifier(`key${index}`)}`);
  const keys = outer.map((level, index) => sql`${keyOf(level)} as ${keyNames[index]}`);
  const matching = outer.map((level, index) => sql`${keyOf(level)} = ${keyNames[index]}`);
  const outerKey = joinSql(outer.map(keyOf));
  // `is true` makes it a filter. Without it, PostgreSQL would sort all rows in order to merge them with the few groups.
  const isInSelectedGroup = sql`((${outerKey}) in (select ${joinSql(keyNames)} from selected_group)) is true`;
  const selectedRows =
    groups && isLast
      ? groups.members(sql`select group_id from line_row where ${isInSelectedGroup}`)
      : outer.length > 0
        ? sql`(select * from line_row where ${isInSelectedGroup}) line_row`
        : sql`line_row`;
  const order = outer.length > 0 ? sql`order by ${joinSql(orderOf(outer))}` : sql``;
  const names = ['level', 'id', 'name', ...Object.keys(values(sql`false`))].map((name) => sql.identifier(name));
  const columns = sql.join(names, sql`, `);
  const [first, end] = [sql`${range.from}::bigint`, sql`${range.from + range.count}::bigint`];
  return sql`
    with line_row as materialized (select * from ${groups?.rows ?? from}),
    head as (
      select ${titlesSql(outer)}, ${joinSql([...columnsSql(values(sql`false`)), ...keys])},
        row_number() over (${order}) as nth,
        ${innermost ? sql`grouping(${innermost.id}) = 0` : sql`true`} as has_members,
        ${members} as members
      from line_row group by grouping sets (${groupingSetsSql(outer)})
    ), positioned as (
      select *, (level <> 'total')::int as own, coalesce(sum((level <> 'total')::int
        + case when has_members then members else 0 end) over (
        order by nth rows between unbounded preceding and 1 preceding), 0) as position from head
    ), selected_group as (
      select ${joinSql([sql`nth as group_nth`, sql`position as group_position`, sql`own`, ...keyNames])}
      from positioned where has_members and position + own < ${end} and position + own + members > ${first}
    ), member as (
      select ${inner.level}::text as level, (${inner.id})::text as id, ${nameSql(inner)} as name,
        ${joinSql(columnsSql(values(sql.raw(String(isLast)))))}, group_position + own - 1 + row_number() over (
        partition by group_nth order by ${inner.order ?? collatedSql(nameSql(inner))}, ${inner.id}) as position
      from ${selectedRows} join selected_group on ${matching.length > 0 ? sql.join(matching, sql` and `) : sql`true`}
      group by group_nth, group_position, own, ${joinSql(keysOf([inner]))}
    ), line as (
      select ${columns}, position, false as is_total from positioned where level <> 'total'
      union all select ${columns}, position, false from member
    )
    select ${columns}, line_count::int from (
      select * from line where position >= ${first} and position < ${end}
      union all select ${columns}, null, true from positioned where level = 'total'
    ) selected_line cross join (
      select sum((level <> 'total')::int + case when has_members then members else 0 end) as line_count from positioned
    ) line_total
    order by is_total, position`;
}
