/** Targets of a bulk request: `{ids: [...]}` or `{filter: {...}}`, within the caller's scope. */
import { sql } from 'drizzle-orm';
import { limits } from '../../../schema/dsl/checks';
import { type ListQuery, parseListQuery } from '../../../schema/dsl/listQuery';
import { requestLimits } from '../../../schema/dsl/requestLimits';
import { QueryContext, table } from '../../access/entityModel';
import { visibleIds } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { matchWhere } from '../query/selectStatements';

/**
 * Returns the ids of the targets; with `isTrashed`, among soft-deleted rows. Throws 404 if any id is not visible to the
 * caller, so that nothing is changed partially; 422 without ids or filter.
 */
export async function requireTargetIds(
  tx: Queries,
  { entity, caller, isTrashed = false }: { entity: ModelEntity; caller: Caller; isTrashed?: boolean },
  { ids, filter }: Record<string, unknown>,
): Promise<number[]> {
  if (ids !== undefined) {
    const requestedIds = typeof ids === 'string' ? ids.split(',').map(Number) : ids;
    if (
      !Array.isArray(requestedIds) ||
      !requestedIds.every((id) => Number.isInteger(id) && id > 0 && id <= limits.integer)
    )
      throw ApiError.invalidAt('ids', { key: 'list' });
    if (requestedIds.length > requestLimits.entries)
      throw ApiError.limitExceeded('limit_entries', requestLimits.entries);
    const distinctIds = [...new Set(requestedIds as number[])];
    const foundIds = await visibleIds(tx, entity, caller, distinctIds, isTrashed);
    if (foundIds.length < distinctIds.length) throw ApiError.notFound();
    return distinctIds;
  }
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter))
    throw ApiError.invalidAt('ids', { key: 'required' });
  const conditions = flattenFilter(filter as Record<string, unknown>).filter(
    ({ path }) => !(isTrashed && path === 'trashed'),
  );
  if (conditions.some(({ path }) => path === 'trashed')) throw ApiError.notAllowed('filter', ['trashed'], ['search']);
  const query: ListQuery = {
    ...parseListQuery(''),
    filter: [...conditions, ...(isTrashed ? [{ path: 'trashed', values: ['only'] }] : [])],
  };
  const rows = await tx.select(
    { id: pg.integer },
    sql`select m.id from ${table(entity)} m where ${matchWhere({ entity, caller, query }, new QueryContext())}
      order by m.id`,
  );
  return rows.map(({ id }) => id);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Converts `{fleet: {name: 'x'}, status: ['a', 'b'], id: 3, any: [[{battery: '<20'}, {status: 'Offline'}]]}` to filters
 * of a query string.
 */
function flattenFilter(filter: Record<string, unknown>, prefix = ''): ListQuery['filter'] {
  return Object.entries(filter).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    if (value === '' || value === undefined) return [];
    if (value === null) return [{ path, values: ['null'] }];
    if (Array.isArray(value) && !value.some(isObject)) return [{ path, values: value.map(String) }];
    if (isObject(value)) return flattenFilter(value as Record<string, unknown>, `${path}.`);
    return [
      {
        path,
        values: String(value)
          .split(',')
          .filter((item) => item !== ''),
      },
    ];
  });
}
