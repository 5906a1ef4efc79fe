/**
 * The query parameters of json-server, put into the list dialect: what they may ask and how much is decided there, once
 * for both. Parameters that json-server does not have are refused by 400.
 */

import type { Field } from '../../../schema/dsl/field';
import { defaultPerPage, type ListQuery, maxPerPage, printListQuery } from '../../../schema/dsl/query';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import { leaf } from '../../crud/query/filter';
import { isText } from '../../crud/query/operators';

const included = ['_embed', '_expand'] as const;
const listed = ['_start', '_end', '_page', '_limit', '_sort', '_order', ...included, 'q'] as const;
/** Clients that can only POST name the method they mean so on every call. */
const override = '_method';

/** A window over a list, as pages of the dialect. */
export interface JsonServerListQuery {
  /**
   * Queries of the pages that hold the rows: one where the window is a page itself, else the two that it lies across.
   */
  pages: readonly [string, ...string[]];
  /** Which rows of those pages are meant, by their places: from, and up to. All where it is left out. */
  slice?: readonly [number, number];
}

/** Reads the parameters of a list. @throws 400 for unknown ones and for what the caller may not filter by */
export function readJsonServerListQuery(entity: ModelEntity, caller: Caller, search: string): JsonServerListQuery {
  const parameters = new URLSearchParams(search);
  const names = new Set(parameters.keys());
  const isFilter = (name: string) => !/^_|[[\]]/.test(name) && name !== 'q';
  refuseUnknown(
    [...names].filter((name) => !isFilter(name)),
    listed,
  );
  const filter = new Map<string, string[]>();
  for (const [name, value] of parameters) {
    if (value === '' || !(isFilter(name) || name === 'q')) continue;
    const { path, sign } = name === 'q' ? { path: 'search', sign: '' } : filterOf(entity, caller, name);
    filter.set(path, [...(filter.get(path) ?? []), `${sign}${value}`]);
  }
  const query: Partial<ListQuery> = {
    filter: [...filter].map(([path, values]) => ({ path, values })),
    sort: sortOf(parameters),
    include: includesOf(parameters),
  };
  return pagesOf(windowOf(parameters), query);
}

/** The same of one row, which takes includes alone: a query string of the dialect. */
export function readJsonServerRowQuery(search: string): string {
  const parameters = new URLSearchParams(search);
  refuseUnknown([...parameters.keys()], included);
  return printListQuery({ include: includesOf(parameters) });
}

/** Writing calls take no parameters. */
export const refuseParameters = (search: string): void => refuseUnknown([...new URLSearchParams(search).keys()], []);

function refuseUnknown(names: readonly string[], allowed: readonly string[]): void {
  const unknown = [...new Set(names)].filter((name) => name !== override && !allowed.includes(name));
  if (unknown.length > 0) throw ApiError.notAllowed('parameter', unknown, allowed);
}

const ordered: readonly Field['kind'][] = ['integer', 'number', 'money', 'date', 'instant'];

/**
 * A filter's name without its operator, as the dialect spells it. A name that no field has goes through as it is, so
 * that the dialect refuses it by that name.
 */
function filterOf(entity: ModelEntity, caller: Caller, name: string): { path: string; sign: string } {
  const fieldAt = (path: string) => leaf(entity, path.split('.'), caller);
  // Texts of json-server are equal or not; the dialect's plain filter is the one for what a text contains.
  const equal = (path: string, { kind }: Field) => (isText(kind) ? `${path}.is` : path);
  const whole = fieldAt(name);
  if (whole) return { path: equal(name, whole), sign: '' };
  const [, path = '', operator] = /^(.+)_(gte|lte|ne|like)$/.exec(name) ?? [];
  const field = fieldAt(path);
  if (field && operator === 'ne') return { path: `${equal(path, field)}.not`, sign: '' };
  if (field && operator === 'like' && isText(field.kind)) return { path, sign: '' };
  if (field && operator === 'gte' && ordered.includes(field.kind)) return { path, sign: '>=' };
  if (field && operator === 'lte' && ordered.includes(field.kind)) return { path, sign: '<=' };
  return { path: name, sign: '' };
}

/** Every value of a parameter, whether it was repeated or joined by commas. */
const itemsOf = (parameters: URLSearchParams, name: string): string[] =>
  parameters
    .getAll(name)
    .flatMap((value) => value.split(','))
    .filter((item) => item !== '');

const includesOf = (parameters: URLSearchParams): string[] => [
  ...new Set(included.flatMap((name) => itemsOf(parameters, name))),
];

function sortOf(parameters: URLSearchParams): ListQuery['sort'] {
  const orders = itemsOf(parameters, '_order').map((order) => order.toLowerCase());
  const unknown = orders.filter((order) => order !== 'asc' && order !== 'desc');
  if (unknown.length > 0) throw ApiError.notAllowed('sort', unknown, ['asc', 'desc']);
  return itemsOf(parameters, '_sort').map((item, index) => ({
    path: item.replace(/^-/, ''),
    descending: item.startsWith('-') || orders[index] === 'desc',
  }));
}

/** Which rows are asked for: all there may be at once where nothing is said, as json-server does. */
function windowOf(parameters: URLSearchParams): { first: number; count: number } {
  const whole = (name: string): number | undefined => {
    const value = parameters.get(name) ?? '';
    return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
  };
  const capped = (count: number) => Math.min(Math.max(count, 0), maxPerPage);
  const limit = whole('_limit');
  if (parameters.has('_page')) {
    const count = capped(limit ?? defaultPerPage);
    return { first: (Math.max(whole('_page') ?? 1, 1) - 1) * count, count };
  }
  const first = whole('_start') ?? 0;
  const end = whole('_end');
  return { first, count: capped(end === undefined ? (limit ?? maxPerPage) : end - first) };
}

function pagesOf({ first, count }: { first: number; count: number }, query: Partial<ListQuery>): JsonServerListQuery {
  const page = (number: number, per_page: number) => printListQuery({ ...query, page: number, per_page });
  // Nothing is asked for but how many there are.
  if (count === 0) return { pages: [page(1, 1)], slice: [0, 0] };
  const number = Math.floor(first / count) + 1;
  const offset = first % count;
  if (offset === 0) return { pages: [page(number, count)] };
  return { pages: [page(number, count), page(number + 1, count)], slice: [offset, offset + count] };
}
