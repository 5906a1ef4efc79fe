/** Saved views as filters: with the current content of the view, and the rights of the caller who uses it. */
import { sql } from 'drizzle-orm';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import type { View } from '../../../schema/entities/saved_views';
import { notDeleted, QueryContext } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import { type Caller, hasPermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { EntityModel, ModelEntity } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { filterWhere } from '../query/filterWhere';

const m = sql.raw('m');

interface ViewServices {
  db: Queries;
  model: EntityModel;
}

const viewShape = {
  id: pg.integer,
  name: pg.text,
  resource: pg.text,
  query: pg.text.nullable,
  columns: pg.text.array,
  widths: pg.text.array,
};

/** Reads a view; `undefined` if the caller may not open it. */
export const findSavedView = async (
  { db, model }: ViewServices,
  caller: Caller,
  id: number,
): Promise<View | undefined> =>
  hasPermission(caller, 'saved_views.list')
    ? db.selectOne(
        viewShape,
        sql`select m.id, m.name, m.resource, m.query, m.columns, m.widths from saved_views m where m.id = ${id}::int
          and ${notDeleted(m)} and ${scopeWhere(model.require('saved_views'), caller, m)}`,
      )
    : undefined;

/**
 * SQL condition of a view's filters on the alias `m`; `undefined` if they use something that does not exist or that the
 * caller may not read.
 */
export function viewFilterWhere(
  entity: ModelEntity,
  {
    query,
    caller,
    context = new QueryContext('viewed'),
  }: { query: string | null; caller: Caller; context?: QueryContext },
) {
  try {
    return filterWhere(entity, { caller, filter: parseListQuery(query ?? '').filter, row: m, context });
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** Whether the caller may use every filter of the view. */
export const canFilterByView = (entity: ModelEntity, caller: Caller, query: string | null): boolean =>
  viewFilterWhere(entity, { query, caller }) !== undefined;
