/**
 * Translates query parameters of json-server to the list dialect, which decides what is allowed. Throws 400 for unknown
 * parameters.
 */

import { addToGroup } from '../../../schema/dsl/addToGroup';
import type { Field } from '../../../schema/dsl/field';
import { defaultPerPage, type ListQuery, maxPerPage, printListQuery } from '../../../schema/dsl/listQuery';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import { fieldAtPath } from '../../crud/query/filterNames';
import { isText } from '../../crud/query/operators';

const includeParameters = ['_embed', '_expand'] as const;
const listParameterNames = ['_start', '_end', '_page', '_limit', '_sort', '_order', ...includeParameters, 'q'] as const;
/** Method override of clients that can only POST. */
const methodOverride = '_method';

/** A window of a list, as pages of the list dialect. */
export interface JsonServerListQuery {
  /** Queries of the pages that contain the window: one if it is itself a page, else the two that it spans. */
  pages: readonly [string, ...string[]];
  /** Start and end (exclusive) of the window in the rows of these pages; `undefined` for all rows. */
  slice?: readonly [number, number];
}

/**
 * Parses the parameters of a list.
 * @throws 400 for unknown ones, and for fields that the caller may not filter by
 */
export function readJsonServerListQuery(entity: ModelEntity, caller: Caller, search: string): JsonServerListQuery {
  const parameters = new URLSearchParams(search);
  const names = new Set(parameters.keys());
  const isFilter = (name: string) => !/^_|[[\]]/.test(name) && name !== 'q';
  requireAllowed(
    [...names].filter((name) => !isFilter(name)),
    listParameterNames,
  );
  const filter = new Map<string, string[]>();
  for (const [name, value] of parameters) {
    if (value === '' || !(isFilter(name) || name === 'q')) continue;
    const { path, sign } = name === 'q' ? { path: 'search', sign: '' } : translateFilter(entity, caller, name);
    addToGroup(filter, path, `${sign}${value}`);
  }
  const query: Partial<ListQuery> = {
    filter: [...filter].map(([path, values]) => ({ path, values })),
    sort: readSort(parameters),
    include: readIncludes(parameters),
  };
  return buildPages(readWindow(parameters), query);
}

/** Parses the parameters of a single row, which accepts includes only, to a query string of the list dialect. */
export function readJsonServerRowQuery(search: string): string {
  const parameters = new URLSearchParams(search);
  requireAllowed([...parameters.keys()], includeParameters);
  return printListQuery({ include: readIncludes(parameters) });
}

/** Throws 400 for any parameter, because writes take none. */
export const requireNoParameters = (search: string): void =>
  requireAllowed([...new URLSearchParams(search).keys()], []);

function requireAllowed(names: readonly string[], allowedNames: readonly string[]): void {
  const unknownNames = [...new Set(names)].filter((name) => name !== methodOverride && !allowedNames.includes(name));
  if (unknownNames.length > 0) throw ApiError.notAllowed('parameter', unknownNames, allowedNames);
}

const comparableKinds: readonly Field['kind'][] = ['integer', 'number', 'money', 'date', 'instant'];

/**
 * Translates the name of a filter to a path of the list dialect, and to the sign before its values. Unknown names pass
 * unchanged, so that the dialect rejects them by name.
 */
function translateFilter(entity: ModelEntity, caller: Caller, name: string): { path: string; sign: string } {
  const fieldAt = (path: string) => fieldAtPath(entity, path.split('.'), caller);
  // In json-server plain text filters mean equality; in the dialect they mean containment.
  const equalityPath = (path: string, { kind }: Field) => (isText(kind) ? `${path}.is` : path);
  const exactField = fieldAt(name);
  if (exactField) return { path: equalityPath(name, exactField), sign: '' };
  const [, path = '', operator] = /^(.+)_(gte|lte|ne|like)$/.exec(name) ?? [];
  const field = fieldAt(path);
  if (field && operator === 'ne') return { path: `${equalityPath(path, field)}.not`, sign: '' };
  if (field && operator === 'like' && isText(field.kind)) return { path, sign: '' };
  if (field && operator === 'gte' && comparableKinds.includes(field.kind)) return { path, sign: '>=' };
  if (field && operator === 'lte' && comparableKinds.includes(field.kind)) return { path, sign: '<=' };
  return { path: name, sign: '' };
}

/** Returns the values of a parameter, which may be repeated, or joined by commas. */
const splitItems = (parameters: URLSearchParams, name: string): string[] =>
  parameters
    .getAll(name)
    .flatMap((value) => value.split(','))
    .filter((item) => item !== '');

const readIncludes = (parameters: URLSearchParams): string[] => [
  ...new Set(includeParameters.flatMap((name) => splitItems(parameters, name))),
];

function readSort(parameters: URLSearchParams): ListQuery['sort'] {
  const orders = splitItems(parameters, '_order').map((order) => order.toLowerCase());
  const unknownOrders = orders.filter((order) => order !== 'asc' && order !== 'desc');
  if (unknownOrders.length > 0) throw ApiError.notAllowed('sort', unknownOrders, ['asc', 'desc']);
  return splitItems(parameters, '_sort').map((item, index) => ({
    path: item.replace(/^-/, ''),
    descending: item.startsWith('-') || orders[index] === 'desc',
  }));
}

/** Parses the requested window. Without parameters, it is as large as allowed, because json-server returns all rows. */
function readWindow(parameters: URLSearchParams): { first: number; count: number } {
  const parseInteger = (name: string): number | undefined => {
    const value = parameters.get(name) ?? '';
    return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
  };
  const capCount = (count: number) => Math.min(Math.max(count, 0), maxPerPage);
  const limit = parseInteger('_limit');
  if (parameters.has('_page')) {
    const count = capCount(limit ?? defaultPerPage);
    return { first: (Math.max(parseInteger('_page') ?? 1, 1) - 1) * count, count };
  }
  const first = parseInteger('_start') ?? 0;
  const end = parseInteger('_end');
  return { first, count: capCount(end === undefined ? (limit ?? maxPerPage) : end - first) };
}

function buildPages(
  { first, count }: { first: number; count: number },
  query: Partial<ListQuery>,
): JsonServerListQuery {
  const page = (number: number, per_page: number) => printListQuery({ ...query, page: number, per_page });
  // Only the total is requested.
  if (count === 0) return { pages: [page(1, 1)], slice: [0, 0] };
  const pageNumber = Math.floor(first / count) + 1;
  const offset = first % count;
  if (offset === 0) return { pages: [page(pageNumber, count)] };
  return { pages: [page(pageNumber, count), page(pageNumber + 1, count)], slice: [offset, offset + count] };
}
