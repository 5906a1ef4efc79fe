/** Saved views as questions: their filters as they stand at that moment, for whoever may ask them. */
import { sql } from 'drizzle-orm';
import { registry } from '../../../schema';
import type { Entity } from '../../../schema/dsl/entity';
import { readListQuery } from '../../../schema/dsl/query';
import type { View } from '../../../schema/entities/saved_views';
import { notDeleted, QueryContext } from '../../access/entityModel';
import { scopeWhere } from '../../access/scope';
import { type Caller, hasPermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Queries } from '../../db/core/database';
import { filterSql } from '../query/filter';

const m = sql.raw('m');

/** A view that the caller may open. */
export const savedViewFor = async (db: Queries, caller: Caller, id: number): Promise<View | undefined> =>
  hasPermission(caller, 'saved_views.list')
    ? db.one<View>(
        sql`select m.id, m.name, m.resource, m.query, m.columns, m.widths from saved_views m where m.id = ${id}::int
          and ${notDeleted(m)} and ${scopeWhere(registry.saved_views, caller, m)}`,
      )
    : undefined;

/**
 * The condition of a view's filters on alias `m`; `undefined` where they ask for what the caller may not ask, or for
 * what there is no more.
 */
export function viewSql(
  entity: Entity,
  {
    query,
    caller,
    sketch = new QueryContext('viewed'),
  }: { query: string | null; caller: Caller; sketch?: QueryContext },
) {
  try {
    return filterSql(entity, { caller, filter: readListQuery(query ?? '').filter, row: m, sketch });
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** Whether the caller may ask for what the filters of a view ask for. */
export const canFilterByView = (entity: Entity, caller: Caller, query: string | null): boolean =>
  viewSql(entity, { query, caller }) !== undefined;
