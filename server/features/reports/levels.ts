/**
 * Sums every level of a report in one statement: each line uses the same expressions over its rows, so totals cannot
 * differ from their parts.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ReportLevel } from '../../../schema/features/reports';
import { asWords } from '../../db/core/columns';

/** A level of a report: its key, its name, its order. */
export interface Level {
  level: ReportLevel;
  id: SQL;
  name: SQL;
  /** Names sort as text unless they are days or numbers. */
  order?: SQL;
}

interface Summed {
  levels: readonly Level[];
  /** Lowest level of the lines. */
  by: ReportLevel;
  /** Aggregates by column; `single` is true on lines of the lowest level. */
  values: (single: SQL) => Record<string, SQL>;
  from: SQL;
}

/** SQL: rows `(level, id, name, ...values)`: groups before their lines, the total last. */
export function summedSql({ levels, by, values, from }: Summed): SQL {
  const wanted = levels.slice(0, levels.findIndex(({ level }) => level === by) + 1);
  const keys = (of: readonly Level[]) => of.flatMap(({ id, name, order }) => [id, name, ...(order ? [order] : [])]);
  const sets = [wanted, ...wanted.map((_, index) => wanted.slice(0, index))].map(
    (of) => sql`(${sql.join(keys(of), sql`, `)})`,
  );
  const isWhole = ({ id }: Level) => sql`grouping(${id}) = 1`;
  const last = levels.at(-1) as Level;
  const single = by === last.level ? sql`grouping(${last.id}) = 0` : sql`false`;
  // The innermost level still grouped is the line's own.
  const own = (what: (level: Level) => SQL, whole: SQL) =>
    sql`case ${sql.join(
      [...wanted].reverse().map((level) => sql`when grouping(${level.id}) = 0 then ${what(level)}`),
      sql` `,
    )} else ${whole} end`;
  const columns = Object.entries(values(single)).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`);
  const order = wanted.flatMap((level, index) => [
    sql`${isWhole(level)}${sql.raw(index === 0 ? '' : ' desc')}`,
    level.order ?? asWords(level.name),
    level.id,
  ]);
  return sql`select ${own(({ level }) => sql`${level}`, sql`'total'`)} as level,
    ${own(({ id }) => sql`(${id})::text`, sql`null`)} as id, ${own(({ name }) => sql`(${name})::text`, sql`null`)} as
    name,
      ${sql.join(columns, sql`, `)}
    from ${from} group by grouping sets (${sql.join(sets, sql`, `)}) order by ${sql.join(order, sql`, `)}`;
}
