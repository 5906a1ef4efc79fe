/** The rows that bulk work means: `{ids: [...]}` or `{filter: {...}}`, within the caller's scope. */
import { sql } from 'drizzle-orm';
import { limits } from '../../../schema/dsl/checks';
import type { Entity } from '../../../schema/dsl/entity';
import { type ListQuery, readListQuery } from '../../../schema/dsl/query';
import { requestLimits } from '../../../schema/dsl/requestLimits';
import { QueryContext, table } from '../../access/entityModel';
import { visibleIds } from '../../access/scope';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Queries } from '../../db/core/database';
import { matchWhere } from '../query/select';

/**
 * `trashed`: rows of the bin. 404 when an id does not exist for the caller, so that nothing is done by half; 422 when
 * nothing says which rows are meant.
 */
export async function targetIds(
  tx: Queries,
  { entity, caller, trashed = false }: { entity: Entity; caller: Caller; trashed?: boolean },
  { ids, filter }: Record<string, unknown>,
): Promise<number[]> {
  if (ids !== undefined) {
    const wanted = typeof ids === 'string' ? ids.split(',').map(Number) : ids;
    if (!Array.isArray(wanted) || !wanted.every((id) => Number.isInteger(id) && id > 0 && id <= limits.integer))
      throw ApiError.invalidAt('ids', { key: 'list' });
    if (wanted.length > requestLimits.entries) throw ApiError.beyond('limit_entries', requestLimits.entries);
    const distinct = [...new Set(wanted as number[])];
    const found = await visibleIds(tx, entity, caller, distinct, trashed);
    if (found.length < distinct.length) throw ApiError.notFound();
    return distinct;
  }
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter))
    throw ApiError.invalidAt('ids', { key: 'required' });
  const given = flattened(filter as Record<string, unknown>).filter(({ path }) => !(trashed && path === 'trashed'));
  if (given.some(({ path }) => path === 'trashed')) throw ApiError.notAllowed('filter', ['trashed'], ['search']);
  const query: ListQuery = {
    ...readListQuery(''),
    filter: [...given, ...(trashed ? [{ path: 'trashed', values: ['only'] }] : [])],
  };
  const rows = await tx.rows<{ id: number }>(
    sql`select m.id from ${table(entity)} m where ${matchWhere({ entity, caller, query }, new QueryContext())}
      order by m.id`,
  );
  return rows.map(({ id }) => id);
}

/** `{fleet: {name: 'x'}, status: ['a', 'b'], id: 3}` as the filters of a query string. */
function flattened(filter: Record<string, unknown>, prefix = ''): ListQuery['filter'] {
  return Object.entries(filter).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    if (value === '' || value === undefined) return [];
    if (value === null) return [{ path, values: ['null'] }];
    if (Array.isArray(value)) return [{ path, values: value.map(String) }];
    if (typeof value === 'object') return flattened(value as Record<string, unknown>, `${path}.`);
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
