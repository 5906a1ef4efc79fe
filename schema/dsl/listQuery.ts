/**
 * Query string of the list dialect: per_page, page, sort, include, fields, filter. The server reads it, and pages print
 * it. Source: specification section 7 and the dialect of spatie/laravel-query-builder.
 */

export interface ListQuery {
  page: number;
  per_page: number;
  sort: { path: string; descending: boolean }[];
  /** In the order sent. A row must match one of several values, but all of several ranges. */
  filter: { path: string; values: string[] }[];
  include: string[];
  /** Sparse fields by resource name. */
  fields: Record<string, string[]>;
}

export const defaultPerPage = 10;
export const maxPerPage = 1000;

/** Larger than any real page number, but still an exact integer. */
const lastPage = 999_999_999;

/**
 * Parses plain positive integers (neither `02` nor ` 2`) and limits them to `max`; returns the fallback for anything
 * else.
 */
const parsePositive = (value: string, { fallback, max }: { fallback: number; max: number }) =>
  /^[1-9]\d*$/.test(value) ? Math.min(Number(value), max) : fallback;
const splitList = (value: string) => value.split(',').filter((item) => item !== '');

/**
 * Reads a query string (without `?`). Never throws, and ignores everything that the dialect does not define. Callers
 * must check that the names exist.
 */
export function parseListQuery(search: string): ListQuery {
  const query: ListQuery = { page: 1, per_page: defaultPerPage, sort: [], filter: [], include: [], fields: {} };
  const filters = new Map<string, string[]>();
  const fields = new Map<string, string[]>();
  for (const [rawKey, value] of new URLSearchParams(search)) {
    const [key = '', ...path] = rawKey.replaceAll(']', '').split('[');
    const isList = path.at(-1) === '' && path.pop() === '';
    const [subKey = ''] = path;
    if (key === 'page' && (subKey === '' || subKey === 'number'))
      query.page = parsePositive(value, { fallback: 1, max: lastPage });
    else if (['per_page', 'perPage', 'limit'].includes(key) || (key === 'page' && subKey === 'size'))
      query.per_page = parsePositive(value, { fallback: defaultPerPage, max: maxPerPage });
    else if (key === 'sort')
      query.sort.push(
        ...splitList(value).map((item) => ({ path: item.replace(/^-/, ''), descending: item.startsWith('-') })),
      );
    else if (key === 'include') query.include.push(...splitList(value));
    else if (key === 'fields') fields.set(subKey, (fields.get(subKey) ?? []).concat(splitList(value)));
    else if (key === 'filter' && path.length > 0 && value !== '') {
      const name = path.join('.');
      const values = isList ? [value] : splitList(value);
      const earlierFilter = filters.get(name);
      if (earlierFilter) earlierFilter.push(...values);
      else filters.set(name, values);
    }
  }
  query.fields = Object.fromEntries(fields);
  query.filter = [...filters].filter(([, values]) => values.length > 0).map(([path, values]) => ({ path, values }));
  return query;
}

/** Prints a query for `parseListQuery`; omits what is missing or empty. */
export function printListQuery(query: Partial<ListQuery>): string {
  const search = new URLSearchParams();
  if (query.per_page !== undefined) search.set('per_page', String(query.per_page));
  if (query.page !== undefined) search.set('page', String(query.page));
  if (query.sort?.length)
    search.set('sort', query.sort.map(({ path, descending }) => (descending ? `-${path}` : path)).join(','));
  for (const { path, values } of query.filter ?? []) {
    // A comma separates alternatives, so a value that contains one uses the list form, which takes it literally.
    if (values.some((value) => value.includes(',')))
      for (const value of values) search.append(`filter[${path}][]`, value);
    else search.set(`filter[${path}]`, values.join(','));
  }
  if (query.include?.length) search.set('include', query.include.join(','));
  for (const [resource, names] of Object.entries(query.fields ?? {}))
    search.set(`fields[${resource}]`, names.join(','));
  return search.toString();
}
