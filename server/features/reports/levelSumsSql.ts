/**
 * Sums every level of a report in one statement. All lines use the same expressions, so totals always match the lines
 * below them.
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
  return request.range ? lineRangeSql(request, request.range) : allLinesSql(request);
}

/** Keys to group by, without the names, so that PostgreSQL hashes the rows instead of sorting 100,000 texts on disk. */
const keysOf = (levels: readonly ReportLevelSql[]) => levels.flatMap(({ id, order }) => (order ? [id, order] : [id]));
/** SQL: the name of a level's line, as an aggregate. */
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
const isSummedUpSql = ({ id }: ReportLevelSql) => sql`grouping(${id}) = 1`;

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

const levelsOrder = (levels: readonly ReportLevelSql[]) =>
  levels.flatMap((level, index) => [
    sql`${isSummedUpSql(level)}${sql.raw(index === 0 ? '' : ' desc')}`,
    level.order ?? collatedSql(nameSql(level)),
    level.id,
  ]);

function allLinesSql(request: LevelSumsRequest): SQL {
  const { levels, by, values, from } = request;
  const summedLevels = levelsDownTo(request);
  const lastLevel = levels.at(-1) as ReportLevelSql;
  const isSingle = by === lastLevel.level ? sql`grouping(${lastLevel.id}) = 0` : sql`false`;
  return sql`select ${titlesSql(summedLevels)}, ${joinSql(columnsSql(values(isSingle)))}
    from ${from} group by grouping sets (${groupingSetsSql(summedLevels)})
    order by ${joinSql(levelsOrder(summedLevels))}`;
}

/**
 * SQL: the lines of a range. Sums and counts the groups first, and sums and sorts members only in groups that the range
 * touches, because a large fleet has many more members than anybody reads.
 */
function lineRangeSql(request: LevelSumsRequest, range: LineRange): SQL {
  const { levels, by, values, from, groups } = request;
  const summedLevels = levelsDownTo(request);
  const [outerLevels, innerLevel] = [summedLevels.slice(0, -1), summedLevels.at(-1) as ReportLevelSql];
  const isLast = by === levels.at(-1)?.level;
  const memberCountSql = isLast
    ? (groups?.size ?? sql`count(*)`)
    : sql`count(distinct ${innerLevel.id}) + bool_or(${innerLevel.id} is null)::int`;
  const lowestOuterLevel = outerLevels.at(-1);
  const keyOf = ({ id }: ReportLevelSql) => sql`coalesce((${id})::text, '')`;
  const keyNames = outerLevels.map((_, index) => sql`${sql.identifier(`key${index}`)}`);
  const keys = outerLevels.map((level, index) => sql`${keyOf(level)} as ${keyNames[index]}`);
  const keyConditions = outerLevels.map((level, index) => sql`${keyOf(level)} = ${keyNames[index]}`);
  const outerKey = joinSql(outerLevels.map(keyOf));
  // `is true` makes the condition a filter; otherwise, PostgreSQL would sort all rows to merge them with the few
  // groups.
  const isInSelectedGroup = sql`((${outerKey}) in (select ${joinSql(keyNames)} from selected_group)) is true`;
  const selectedRows =
    groups && isLast
      ? groups.members(sql`select group_id from line_row where ${isInSelectedGroup}`)
      : outerLevels.length > 0
        ? sql`(select * from line_row where ${isInSelectedGroup}) line_row`
        : sql`line_row`;
  const order = outerLevels.length > 0 ? sql`order by ${joinSql(levelsOrder(outerLevels))}` : sql``;
  const names = ['level', 'id', 'name', ...Object.keys(values(sql`false`))].map((name) => sql.identifier(name));
  const columns = sql.join(names, sql`, `);
  const [first, end] = [sql`${range.from}::bigint`, sql`${range.from + range.count}::bigint`];
  return sql`
    with line_row as materialized (select * from ${groups?.rows ?? from}),
    head as (
      select ${titlesSql(outerLevels)}, ${joinSql([...columnsSql(values(sql`false`)), ...keys])},
        row_number() over (${order}) as nth,
        ${lowestOuterLevel ? sql`grouping(${lowestOuterLevel.id}) = 0` : sql`true`} as has_members,
        ${memberCountSql} as members
      from line_row group by grouping sets (${groupingSetsSql(outerLevels)})
    ), positioned as (
      select *, (level <> 'total')::int as own, coalesce(sum((level <> 'total')::int
        + case when has_members then members else 0 end) over (
        order by nth rows between unbounded preceding and 1 preceding), 0) as position from head
    ), selected_group as (
      select ${joinSql([sql`nth as group_nth`, sql`position as group_position`, sql`own`, ...keyNames])}
      from positioned where has_members and position + own < ${end} and position + own + members > ${first}
    ), member as (
      select ${innerLevel.level}::text as level, (${innerLevel.id})::text as id, ${nameSql(innerLevel)} as name,
        ${joinSql(columnsSql(values(sql.raw(String(isLast)))))}, group_position + own - 1 + row_number() over (
        partition by group_nth order by ${innerLevel.order ?? collatedSql(nameSql(innerLevel))}, ${innerLevel.id}
        ) as position
      from ${selectedRows} join selected_group
        on ${keyConditions.length > 0 ? sql.join(keyConditions, sql` and `) : sql`true`}
      group by group_nth, group_position, own, ${joinSql(keysOf([innerLevel]))}
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
