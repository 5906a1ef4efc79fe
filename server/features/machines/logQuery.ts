/** Parses a query of a machine's log into events to find and their order. */
import { type SQL, sql } from 'drizzle-orm';
import { instant, text } from '../../../schema/dsl/field';
import { isStorable } from '../../../schema/dsl/isStorable';
import type { ListQuery } from '../../../schema/dsl/listQuery';
import type { Language } from '../../../schema/shared/languages';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import { requireFilterLimits, requireSortLimit } from '../../crud/query/filterLimits';
import { buildTest } from '../../crud/query/operators';
import { collatedSql } from '../../db/core/columns';
import { buildEventSources, type EventSource, eventRowsSql } from './logRows';
import { matchLogText } from './matchLogText';

const sortNames = ['at', 'level', 'text', 'id'] as const;
type Sort = (typeof sortNames)[number];
const filterNames = ['at', 'from', 'to', 'level', 'text', 'search'];

export interface LogQuery {
  machine: number;
  allSources: readonly [EventSource, EventSource];
  /** Sources that can contain matching events. */
  sources: readonly EventSource[];
  /** SQL condition on one source. */
  where(source: EventSource): SQL;
  keys: readonly { name: Sort; descending: boolean }[];
  /** Whether the text of every event must be searched. */
  isSearch: boolean;
}

interface LogRequest {
  machine: number;
  caller: Caller;
  zone: string;
  query: Pick<ListQuery, 'filter' | 'sort'>;
}

/**
 * Parses filters and sorts of a log.
 * @throws 400 for unknown ones
 */
export function parseLogQuery({ machine, caller, zone, query: { filter, sort } }: LogRequest): LogQuery {
  const unknownNames = filter.map(({ path }) => path).filter((name) => !filterNames.includes(name));
  if (unknownNames.length > 0) throw ApiError.notAllowed('filter', unknownNames, filterNames);
  const unsortableNames = sort
    .map(({ path }) => path)
    .filter((name) => !(sortNames as readonly string[]).includes(name));
  if (unsortableNames.length > 0) throw ApiError.notAllowed('sort', unsortableNames, [...sortNames]);
  requireFilterLimits({ filter, searches: ['search', 'text'] });
  requireSortLimit(sort);
  const searches = filter.filter(({ path }) => path === 'text' || path === 'search').map(({ values }) => values);
  const levels = filter.filter(({ path }) => path === 'level').map(({ values }) => values.filter(isStorable));
  const conditions = filter
    .filter(({ path }) => ['at', 'from', 'to'].includes(path))
    .map(({ path, values }) => buildPeriodTest(path, values, caller.timeZone));
  const allSources = buildEventSources(caller, zone);
  // Errors are never state changes, so the timeline need not be read.
  const hasOnlyErrors = levels.some((values) => !values.includes('info') && !values.includes('warning'));
  return {
    machine,
    allSources,
    sources: hasOnlyErrors ? allSources.slice(1) : allSources,
    where: (source) =>
      sql.join(
        [
          sql`machine_id = ${machine}::int`,
          ...conditions.map((test) => test(source.at)),
          ...levels.map((values) => sql`${source.level} = any(${sql.param(values)}::text[])`),
          ...searches.map((values) => searchWhere(source, values, caller.language)),
        ],
        sql` and `,
      ),
    keys: (sort.length > 0 ? sort : [{ path: 'at', descending: true }]).map(({ path, descending }) => ({
      name: path as Sort,
      descending,
    })),
    isSearch: searches.length > 0,
  };
}

function searchWhere(source: EventSource, values: string[], language: Language): SQL {
  // For ASCII search words, bytewise case folding gives the same result in half the time.
  const isAscii = values.every((value) => /^[\x20-\x7e]*$/.test(value));
  const textWhere = buildTest(text(), values)(isAscii ? sql`(${source.text}) collate "C"` : source.text);
  if (source.name === 'machine_logs') return textWhere;
  const { states, reasons, needsTextSearch } = matchLogText(language, values);
  return sql`(s.state = any(${sql.param(states)}::text[])
    or s.reason = any(${sql.param(reasons)}::text[])${needsTextSearch ? sql` or ${textWhere}` : undefined})`;
}

function buildPeriodTest(name: string, values: string[], timeZone: string | undefined): (instant: SQL) => SQL {
  if (name === 'at') return buildTest(instant(), values, { timeZone });
  return buildTest(
    instant(),
    values.map((value) => `${name === 'from' ? '>=' : '<='}${value}`),
    { timeZone },
  );
}

/** SQL of a sort key. */
export const sortKeySql = (name: Sort): SQL =>
  name === 'text' ? collatedSql(sql`text`) : sql`${sql.identifier(name)}`;

/** SQL: the order by the sort keys and the id. */
export const logOrderSql = (keys: LogQuery['keys']): SQL =>
  sql.join(
    [
      ...keys.map(({ name, descending }) => sql`${sortKeySql(name)} ${sql.raw(descending ? 'desc' : 'asc')}`),
      sql`id desc`,
    ],
    sql`, `,
  );

/** Direction in which sources are read if time is the first sort key. */
export const timeOrder = ([first]: LogQuery['keys']): 'asc' | 'desc' | undefined =>
  first?.name === 'at' ? (first.descending ? 'desc' : 'asc') : undefined;

/** SQL: matching rows `(id, at)`, with the columns of the other sort keys. */
export function matchingRowsSql({ sources, where, keys, isSearch }: LogQuery): SQL {
  const sortColumns = [...new Set(keys.map(({ name }) => name))].filter((name) => name === 'level' || name === 'text');
  return eventRowsSql(sources, {
    columns: (source) =>
      sql.join(
        [
          sql`${source.id} as id`,
          sql`${source.at} as at`,
          ...sortColumns.map((name) => sql`${source[name]} as ${sql.identifier(name)}`),
        ],
        sql`, `,
      ),
    where,
    inOrder: isSearch ? undefined : timeOrder(keys),
  });
}
