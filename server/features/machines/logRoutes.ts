/** `GET /machines/{id}/logs` in the list dialect, and `GET /machines/{id}/logs/export`. */
import { type SQL, sql } from 'drizzle-orm';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { printPagination } from '../../crud/read/readList';
import type { Database } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import { fixedTextCell, pieceRows, pieceSql, piecesAtOnce, type SheetCell } from '../../files/cells';
import { abortOnDisconnect, type FileKind, fileKindOf, pieceShape, sendSheet } from '../../files/sendSheet';
import { apiPrefix, queryStringOf } from '../../http/http';
import { texts } from '../../i18n/messages';
import { readerZoneSql } from '../../telemetry/timeline/reasons';
import { type LogQuery, logOrderSql, matchingRowsSql, parseLogQuery, sortKeySql, timeOrder } from './logQuery';
import { type EventSource, eventColumnSql, eventRowsSql, logEventsSql, sourceTableSql } from './logRows';

export const logRoutes: Routes = async (app) => {
  serve(app, 'GET /machines/{id}/logs', async ({ params: { id: machine }, services: { db, env } }, request) => {
    const search = queryStringOf(request);
    const query = parseListQuery(search);
    const log = parseLogQuery({
      machine,
      caller: request.caller,
      zone: await readZone(db, machine, request.caller),
      query,
    });
    const page = await db.selectOne(
      { total: pg.integer, data: pg.json<unknown[]>() },
      pageSql(log, { limit: query.per_page, offset: (query.page - 1) * query.per_page }),
    );
    const { total = 0, data = [] } = page ?? {};
    const path = `${env.publicUrl}${apiPrefix}/machines/${machine}/logs`;
    return new JsonText(`{"data":${JSON.stringify(data)},${printPagination(query, total, { search, path })}}`);
  });

  serve(
    app,
    'GET /machines/{id}/logs/export',
    async ({ params: { id: machine }, services: { db } }, request, reply) => {
      const kind = fileKindOf(request, 'csv');
      const { caller } = request;
      const zone = await readZone(db, machine, caller);
      const log = parseLogQuery({ machine, caller, zone, query: parseListQuery(queryStringOf(request)) });
      const { title, time, level, event } = texts[caller.language].logs;
      return sendSheet(reply, {
        ...kind,
        name: title,
        head: [`${time} (${zone})`, level, event],
        pieces: db.stream(pieceShape, fileSql(log, { ...kind, zone, caller }), piecesAtOnce, abortOnDisconnect(reply)),
      });
    },
  );
};

/** Time zone in which the reader sees times of the machine. */
async function readZone(db: Database, machine: number, caller: Caller): Promise<string> {
  if (caller.timeZone) return caller.timeZone;
  const row = await db.selectOne(
    { zone: pg.text },
    sql`select ${readerZoneSql(caller, sql`l`)} as zone from machines m left join locations l on l.id = m.location_id
      where m.id = ${machine}`,
  );
  if (!row) throw ApiError.notFound();
  return row.zone;
}

/** SQL: one page as `data`, and the `total`. A search scans the events once for both. */
function pageSql(log: LogQuery, { limit, offset }: { limit: number; offset: number }): SQL {
  const rowsSql = matchingRowsSql(log);
  const order = logOrderSql(log.keys);
  const counts = log.sources.map(
    (source) => sql`(select count(*) from ${sourceTableSql(source)} where ${log.where(source)})`,
  );
  const page = (from: SQL) =>
    sql`page as (select * from ${from} order by ${order} limit ${limit}::int offset ${offset}::bigint)`;
  return sql`
    with ${log.isSearch ? sql`log as materialized (${rowsSql}), ${page(sql`log`)}` : page(sql`(${rowsSql}) log`)}
    select (${log.isSearch ? sql`select count(*) from log` : sql.join(counts, sql` + `)})::int as total,
    (select coalesce(json_agg(event), '[]') from (
      select page.id, to_char(page.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      ${eventColumnSql(log.allSources, 'level')} as level, ${eventColumnSql(log.allSources, 'text')} as text
      from page ${logEventsSql(sql`page`, log.machine)} order by ${order}) event) as data`;
}

/**
 * SQL: all events as pieces of a file. If time is the first sort key, each piece covers a time range with a fixed
 * number of events; otherwise the ids are sorted first.
 */
function fileSql(log: LogQuery, { format, delimiter, zone, caller }: FileKind & { zone: string; caller: Caller }): SQL {
  const { levels } = texts[caller.language].logs;
  const names = Object.entries(levels).map(([level, name]) => sql`when ${level} then ${name}`);
  const cellsOf = ({ at, level, text }: { at: SQL; level: SQL; text: SQL }): SheetCell[] => [
    { value: sql`to_char(${at} at time zone ${zone}::text, 'DD.MM.YYYY HH24:MI:SS')`, type: 'digits' },
    fixedTextCell(sql`case ${level} ${sql.join(names, sql` `)} end`, Object.values(levels)),
    { value: text, type: 'text' },
  ];
  const size = sql.raw(String(pieceRows));
  const direction = timeOrder(log.keys);
  if (!direction) {
    const cells = cellsOf({
      at: eventColumnSql(log.allSources, 'at'),
      level: eventColumnSql(log.allSources, 'level'),
      text: eventColumnSql(log.allSources, 'text'),
    });
    const from = sql`unnest(matching.ids[page * ${size} + 1 : (page + 1) * ${size}]) with ordinality as o(id,
      position)${logEventsSql(sql`o`, log.machine)}`;
    return sql`
      with matching as materialized (select array_agg(id order by ${logOrderSql(log.keys)}) as ids
      from (${matchingRowsSql(log)}) log)
      select piece.* from matching cross join lateral generate_series(0,
        (cardinality(matching.ids) - 1) / ${size}) page
        cross join lateral (${pieceSql({ format, delimiter, cells, from, by: [{ value: sql`o.position` }] })}) piece`;
  }
  const rows = eventRowsSql(log.sources, {
    columns: ({ id, at, level, text }) => sql`${id} as id, ${at} as at, ${level} as level, ${text} as text`,
    where: (source) =>
      sql`${log.where(source)} and ${source.at} >= time_range.from_at and ${source.at} < time_range.to_at`,
    inOrder: direction,
  });
  const by = [
    ...log.keys.map(({ name, descending }) => ({ value: sortKeySql(name), descending })),
    { value: sql`id`, descending: true },
  ];
  const piece = pieceSql({
    format,
    delimiter,
    cells: cellsOf({ at: sql`at`, level: sql`level`, text: sql`text` }),
    from: sql`(${rows}) event`,
    by,
  });
  return sql`
    with recursive ${sql.join(
      log.sources.map((source) => boundsSql(log, source)),
      sql`, `,
    )}, time_range as materialized (
      select at as from_at, coalesce(lead(at) over (order by at), 'infinity') as to_at
      from (${sql.join(
        log.sources.map(({ name }) => sql`select at from ${boundsTableSql(name)} where at is not null`),
        sql` union `,
      )}) bound)
    select piece.* from (select * from time_range order by from_at ${sql.raw(direction)}) time_range
    cross join lateral (${piece}) piece`;
}

const boundsTableSql = (name: EventSource['name']): SQL => sql`${sql.identifier(`${name}_bounds`)}`;

/** SQL: the times at which the pieces of a source begin, found in steps along its index. */
function boundsSql(log: LogQuery, source: EventSource): SQL {
  const events = (after: SQL | undefined, offset: number) =>
    sql`(select ${source.at} from ${sourceTableSql(source)} where ${log.where(source)}${after}
      order by ${source.at} offset ${sql.raw(String(offset))} limit 1)`;
  return sql`${boundsTableSql(source.name)}(at) as (
    select ${events(undefined, 0)}::timestamptz union all
    select ${events(sql` and ${source.at} > bounds.at`, pieceRows - 1)} from ${boundsTableSql(source.name)} bounds
    where bounds.at is not null)`;
}
