/**
 * Events of a machine: state changes from the timeline, device errors, untrusted clocks, and invalid messages. Queries
 * first find ids and times, which indexes contain, and then format the requested events only.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../../context/caller';
import { dayStartSql } from '../../db/core/dayStartSql';
import { texts } from '../../i18n/messages';
import { reasonSql } from '../../telemetry/timeline/reasons';

/**
 * One of the two sources of events. Their ids are disjoint: even for state changes (twice the second), odd for the
 * others.
 */
export interface EventSource {
  name: 'segments' | 'machine_logs';
  id: SQL;
  at: SQL;
  level: SQL;
  text: SQL;
}

/** Builds both sources. Texts are in the reader's language, times in `zone`. */
export function buildEventSources({ language }: Caller, zone: string): [states: EventSource, logs: EventSource] {
  const names = Object.entries(texts[language].resources.machines.choices.status).map(
    ([state, name]) => sql`when ${state} then ${name}`,
  );
  const zoneSql = sql`${zone}::text`;
  const midnightSql = (days: number) =>
    sql`(select ${dayStartSql(sql`((now() at time zone ${zoneSql})::date + ${days}::int)`, zoneSql)})`;
  const isToday = sql`s.reason_at >= ${midnightSql(0)} and s.reason_at < ${midnightSql(1)}`;
  const reasonTextSql = reasonSql(language, {
    reason: sql`s.reason`,
    at: sql`s.reason_at`,
    from: sql`s.from_at`,
    zone: zoneSql,
    isToday,
  });
  const clockTextSql = sql`replace(${texts[language].logs.clock}, '%{time}',
    coalesce(to_char(e.device_at at time zone ${zoneSql}, 'DD.MM.YYYY HH24:MI'), '–'))`;
  return [
    {
      name: 'segments',
      id: sql`(extract(epoch from s.from_at) * 2)::float8`,
      at: sql`s.from_at`,
      level: sql`case s.state when 'Offline' then 'warning' else 'info' end`,
      text: sql`concat(case s.state ${sql.join(names, sql` `)} end, ': ', ${reasonTextSql})`,
    },
    {
      name: 'machine_logs',
      id: sql`(e.id * 2 + 1)::float8`,
      at: sql`e.at`,
      level: sql`e.level`,
      text: sql`case e.kind when 'clock' then ${clockTextSql} when 'refused' then ${texts[language].logs.refused}
        else concat_ws(': ', e.code, e.message) end`,
    },
  ];
}

export const sourceTableSql = ({ name }: EventSource): SQL =>
  name === 'segments' ? sql`segments s` : sql`machine_logs e`;

/**
 * SQL: events of the sources with the given columns. `inOrder` sorts each source by time, so that PostgreSQL only has
 * to merge them.
 */
export function eventRowsSql(
  sources: readonly EventSource[],
  {
    columns,
    where,
    inOrder,
  }: { columns(source: EventSource): SQL; where(source: EventSource): SQL; inOrder?: 'asc' | 'desc' },
): SQL {
  return sql.join(
    sources.map(
      (source) =>
        sql`(select ${columns(source)} from ${sourceTableSql(source)}
          where ${where(source)}${inOrder ? sql` order by ${source.at} ${sql.raw(inOrder)}` : undefined})`,
    ),
    sql` union all `,
  );
}

/** SQL: joins the events whose ids `source` has, as `s` or `e`. */
export const logEventsSql = (source: SQL, machine: number): SQL => sql`
  left join segments s on ${source}.id::bigint % 2 = 0 and s.machine_id = ${machine}::int
  and s.from_at = to_timestamp(${source}.id / 2)
  left join machine_logs e on ${source}.id::bigint % 2 = 1 and e.id = (${source}.id::bigint - 1) / 2`;

/** SQL: a column of an event joined by `logEventsSql`. */
export const eventColumnSql = (
  [states, logSource]: readonly [EventSource, EventSource],
  column: 'at' | 'level' | 'text',
): SQL => sql`case when e.id is null then ${states[column]} else ${logSource[column]} end`;
