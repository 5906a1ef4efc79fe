/**
 * `GET /machines/timeline`: the states of many machines over time, one row each. Filters and scope are those of the
 * list.
 */
import { type SQL, sql } from 'drizzle-orm';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import type { EndpointInput } from '../../../schema/endpoints';
import type { FleetTimelineResult, timelineGroups } from '../../../schema/endpoints/fleetTimeline';
import { stateNames } from '../../../schema/entities/machines';
import { notDeleted, QueryContext, table } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity, Routes } from '../../context/services';
import { countSql, pageOfIdsSql, type SelectRequest } from '../../crud/query/selectStatements';
import { runStatement } from '../../crud/query/statementCache';
import { printPagination } from '../../crud/read/readList';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { printStatement } from '../../db/core/statement';
import { JsonText, serve } from '../../endpoints/serve';
import { apiPrefix, queryStringOf } from '../../http/http';
import { parseMoments } from './period';

const maxDays = 31;
/** Maximum machines to sort by time, since the times of each must be summed up first. */
const maxSortedMachines = 5000;
/** Cells per row; more than a screen has pixels. */
const maxCells = 2000;
/** State code for the time before a machine's first message. */
const untrackedCode = stateNames.length;

type TimelineQuery = EndpointInput<'GET /machines/timeline'>['query'];

export const fleetTimelineRoutes: Routes = async (app) => {
  serve(app, 'GET /machines/timeline', async ({ query, services }, request) => {
    const { db, env, model } = services;
    const search = queryStringOf(request);
    const period = periodOf(query, services.now());
    const list = { ...parseListQuery(search), include: [], fields: {} };
    const select = { entity: model.require('machines'), caller: request.caller, query: list };
    if (query.sort !== 'name') await requireSortableCount(db, select);
    const { text, params } = printStatement(timelineSql(select, { ...query, ...period }));
    const offset = (list.page - 1) * list.per_page;
    const shape = { groups: pg.text, machines: pg.text, total: pg.integer };
    const [row] = await runStatement(db, shape, { text, params }, { offset });
    const { groups = '[]', machines = '[]', total = 0 } = row ?? {};
    const head = JSON.stringify(period).slice(0, -1);
    const path = `${env.publicUrl}${apiPrefix}/machines/timeline`;
    return new JsonText(
      `{"data":${head},"groups":${groups},"machines":${machines}},${printPagination(list, total, { search, path })}}`,
    );
  });
};

/** Throws 422 if more machines match than can be sorted by time. */
async function requireSortableCount(db: Queries, select: SelectRequest): Promise<void> {
  const count = await db.selectOne({ n: pg.integer }, sql`select (${countSql(select).sql})::int as n`);
  if ((count?.n ?? 0) > maxSortedMachines)
    throw ApiError.invalidAt('sort', { text: 'too_many_to_sort', values: { count: maxSortedMachines } });
}

/** The requested period in whole seconds, cut off at the present. */
function periodOf(query: TimelineQuery, now: Date): Pick<FleetTimelineResult, 'from' | 'to'> {
  const { from, to } = parseMoments(query, now, maxDays);
  const end = Math.max(from.getTime(), Math.min(to.getTime(), now.getTime()));
  return { from: wholeSecond(from.getTime()), to: wholeSecond(end) };
}

const wholeSecond = (milliseconds: number) => new Date(Math.floor(milliseconds / 1000) * 1000).toISOString();

interface TimelineRequest extends Pick<FleetTimelineResult, 'from' | 'to'> {
  group?: (typeof timelineGroups)[number] | null;
  sort: TimelineQuery['sort'];
}

/**
 * SQL: groups and machines of a page as JSON array text, and the number of all machines. To sort by time, it first sums
 * up every machine and then computes the pieces of the page; otherwise it does both in one pass. Uses laterals, because
 * PostgreSQL would otherwise estimate a single machine where there are thousands.
 */
function timelineSql(select: SelectRequest, { from, to, group, sort }: TimelineRequest): SQL {
  const { entity, caller, query } = select;
  const period = { from: sql`${from}::timestamptz`, length: (Date.parse(to) - Date.parse(from)) / 1000 };
  const groupOrder = group ? [`${group}.name`, `${group}_id`] : [];
  const nameKeySql = sql.raw(`k${groupOrder.length}`);
  const groupId = group ? sql.raw('k1') : sql`null::int`;
  const sortTimeSql = sort === 'name' ? undefined : sortTimesSql[sort];
  const ids = pageOfIdsSql({
    ...select,
    query: {
      ...query,
      ...(sortTimeSql && { page: 1, per_page: maxSortedMachines }),
      sort: [...groupOrder, 'serial_number'].map((path) => ({ path, descending: false })),
    },
  });
  const keys = groupOrder.map((_, index) => sql.raw(`k${index}`));
  const order = sql.join([...keys, ...(sortTimeSql ? [sql`${sortTimeSql} desc`] : []), nameKeySql, sql`id`], sql`, `);
  const page = sortTimeSql
    ? sql`select ordered.*, summary.pieces from (
        select *, row_number() over (order by ${order}) as position
        from ${ids} cross join lateral (${sumsSql(sql`p.id`, period)}) sums
        order by position limit ${query.per_page}::int offset ${(query.page - 1) * query.per_page}::bigint
      ) ordered cross join lateral (${piecesSql(sql`ordered.id`, period)}) summary`
    : sql`select *, row_number() over (order by ${order}) as position from ${ids}
      cross join lateral (${piecesSql(sql`p.id`, period)}) summary`;
  return sql`
    with page_row as materialized (${page})
    select ${group ? groupsSql(entity, group, caller) : sql`'[]'`} as groups,
      (select coalesce(json_agg(json_build_object('id', id, 'serial_number', ${nameKeySql}, 'group', ${groupId},
        'cleaning', cleaning, 'charging', charging, 'parked', parked, 'online', online, 'offline', offline,
        'pieces', pieces) order by position), '[]')::text from page_row) as machines,
      (${countSql(select).sql})::int as total`;
}

/** SQL: the times to sort by. An idle machine could clean, but does not. */
const sortTimesSql = { idle: sql`parked + online`, offline: sql`offline` };

interface TimelinePeriod {
  from: SQL;
  /** In seconds. */
  length: number;
}

const stateCodesSql = sql.raw(stateNames.map((state, code) => `when '${state}' then ${code}`).join(' '));

/** SQL: segments of a machine within the period, with seconds since its start and the code of the state. */
const stretchesSql = (machine: SQL, { from, length }: TimelinePeriod): SQL => sql`
  select greatest(0, date_part('epoch', from_at - ${from}))::int as since,
    least(date_part('epoch', to_at - ${from}), ${length}::int)::int as until,
    case state ${stateCodesSql} end as code
  from segments where machine_id = ${machine} and from_at < ${from} + ${length}::int * interval '1 second'
  and from_at >= coalesce((select max(from_at) from segments where machine_id = ${machine} and from_at <= ${from}),
    ${from})`;

/**
 * SQL: seconds per state, from the columns `since`, `until` and `code`. The time before the first segment is Offline.
 */
function stateSumsSql(seconds: (code: number) => SQL, length: number): SQL {
  const sums = stateNames.map((state, code) => {
    const untrackedSeconds = sql`coalesce(min(since), ${sql.raw(`${length}`)})`;
    const sum = sql`coalesce(${seconds(code)}, 0)${state === 'Offline' ? sql` + ${untrackedSeconds}` : undefined}`;
    return sql`(${sum})::int as ${sql.identifier(state.toLowerCase())}`;
  });
  return sql.join(sums, sql`, `);
}

const secondsSql = (code: number) => sql`sum(until - since) filter (where code = ${sql.raw(`${code}`)})`;

/** SQL: seconds per state of a machine. */
const sumsSql = (machine: SQL, period: TimelinePeriod): SQL =>
  sql`select ${stateSumsSql(secondsSql, period.length)} from (${stretchesSql(machine, period)}) stretch`;

/**
 * SQL: seconds per state and pieces of a machine. Stretches that begin in the same cell and are shorter than a cell are
 * consecutive, so one piece with the state of the longest of them replaces them.
 */
function piecesSql(machine: SQL, period: TimelinePeriod): SQL {
  const cell = sql.raw(`${Math.max(1, Math.ceil(period.length / maxCells))}`);
  const stateSums = stateNames.map((_, code) => sql`${secondsSql(code)} as ${sql.identifier(`s${code}`)}`);
  return sql`
    select ${stateSumsSql((code) => sql`sum(${sql.identifier(`s${code}`)})`, period.length)},
      concat('[', concat_ws(',', case when coalesce(min(since), 1) > 0 then '0,${sql.raw(`${untrackedCode}`)}' end,
        string_agg(since || ',' || code, ',' order by since)), ']')::json as pieces
    from (
      select min(since) as since, max((until - since)::bigint * 8 + code) & 7 as code, ${sql.join(stateSums, sql`, `)}
      from (${stretchesSql(machine, period)}) stretch
      group by case when until - since < ${cell} then since / ${cell} else -1 - since end
    ) piece`;
}

/** SQL: ids and names of the page's groups that the caller may see, as JSON array text. */
function groupsSql(entity: ModelEntity, group: (typeof timelineGroups)[number], caller: Caller): SQL {
  const target = entity.relations.get(group)?.target;
  if (!target) throw new Error(`${entity.name} has no relation ${group}`);
  const context = new QueryContext('g');
  const to = context.alias();
  return sql`(select coalesce(json_agg(json_build_object('id', ${to}.id, 'name', ${to}.name)), '[]')::text
    from ${table(target)} ${to} where ${to}.id in (select k1 from page_row) and ${notDeleted(to)}
    and ${scopeWhere(target, caller, to, context, true)})`;
}
