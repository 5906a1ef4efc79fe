/** `GET /machines/{id}/logs` in the list dialect, and `/logs/export`. */
import { type SQL, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { instant, text } from '../../../schema/dsl/field';
import { type ListQuery, readListQuery } from '../../../schema/dsl/query';
import { may } from '../../api/caller';
import { testOf } from '../../api/entity/filter';
import { pagination } from '../../api/entity/list';
import { Refusal } from '../../api/errors';
import { isFileFormat, sendSheet } from '../../api/exchange/stream';
import { json, searchOf } from '../../api/http';
import { texts } from '../../api/texts';
import { asWords } from '../../db/columns';
import type { Routes } from '../../services';
import { readerZone } from '../../telemetry/reasons';
import { logRows } from './log-rows';
import { path, queryOf, seenMachine } from './one';

const sorts = ['at', 'level', 'text', 'id'];
const filters = ['at', 'from', 'to', 'level', 'text', 'search'];

export const logRoutes: Routes = async (app) => {
  const { db, env } = app.services;

  app.get(`${path}/logs`, async (request, reply) => {
    const id = await seenMachine(request);
    const search = searchOf(request);
    const query = readListQuery(search);
    const rows = selected(id, request, query);
    const offset = (query.page - 1) * query.per_page;
    const found = await db.one<{ total: number; data: unknown[] }>(sql`
      with log as materialized (${rows.where})
      select (select count(*)::int from log) as total,
        (select coalesce(json_agg(page), '[]') from (select id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, level, text from log order by ${rows.order} limit ${query.per_page}::int offset ${offset}::bigint) page) as data`);
    const { total = 0, data = [] } = found ?? {};
    return json(
      reply,
      `{"data":${JSON.stringify(data)},${pagination(query, total, { search, path: `${env.publicUrl}${path.replace(':id', String(id))}/logs` })}}`,
    );
  });

  app.get(`${path}/logs/export`, async (request, reply) => {
    may(request.caller, 'machines.export');
    const id = await seenMachine(request);
    const format = queryOf(request).get('format') ?? 'csv';
    if (!isFileFormat(format)) throw Refusal.invalidAt('format', { key: 'one_of', values: { values: 'csv, xlsx' } });
    const rows = selected(id, request, readListQuery(searchOf(request)));
    const { caller } = request;
    const { title, time, level, levels, event } = texts[caller.language].logs;
    const place = await db.one<{ zone: string }>(
      sql`select ${readerZone(caller, sql`l`)} as zone from machines m left join locations l on l.id = m.location_id where m.id = ${id}`,
    );
    if (!place) throw Refusal.notFound();
    const batches = db.stream<{ at: string; level: keyof typeof levels; text: string }>(
      sql`select to_char(at at time zone ${place.zone}::text, 'DD.MM.YYYY HH24:MI:SS') as at, level, text from (${rows.where}) log order by ${rows.order}`,
      500,
    );
    return sendSheet(reply, {
      format,
      name: title,
      head: [`${time} (${place.zone})`, level, event],
      rows: printed(batches, (found) => [found.at, levels[found.level], found.text]),
    });
  });
};

async function* printed<T>(batches: AsyncIterable<T[]>, cells: (row: T) => string[]): AsyncGenerator<string[][]> {
  for await (const rows of batches) yield rows.map(cells);
}

/** The rows that a query means, and their order; unknown filters and sorts are refused as everywhere. */
function selected(machine: number, { caller }: FastifyRequest, { filter, sort }: ListQuery): { where: SQL; order: SQL } {
  const unknown = filter.map(({ path: name }) => name).filter((name) => !filters.includes(name));
  if (unknown.length > 0) throw Refusal.notAllowed('filter', unknown, filters);
  const unsortable = sort.map(({ path: name }) => name).filter((name) => !sorts.includes(name));
  if (unsortable.length > 0) throw Refusal.notAllowed('sort', unsortable, sorts);
  const conditions = filter.map(({ path: name, values }) => conditionOf(name, values));
  const where = sql`select * from (${logRows(machine, caller)}) event ${conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``}`;
  const keys = (sort.length > 0 ? sort : [{ path: 'at', descending: true }]).map(
    ({ path: name, descending }) => sql`${name === 'text' ? asWords(sql`log.text`) : sql`log.${sql.identifier(name)}`} ${sql.raw(descending ? 'desc' : 'asc')}`,
  );
  return { where, order: sql.join([...keys, sql`log.id desc`], sql`, `) };
}

function conditionOf(name: string, values: string[]): SQL {
  const column = sql.identifier(name === 'search' ? 'text' : name);
  if (name === 'level') return sql`${column} = any(${sql.param(values)}::text[])`;
  if (name === 'at') return testOf(instant(), values)(sql`${column}`);
  if (name === 'from' || name === 'to')
    return testOf(
      instant(),
      values.map((value) => `${name === 'from' ? '>=' : '<='}${value}`),
    )(sql`"at"`);
  return testOf(text(), values)(sql`${column}`);
}
