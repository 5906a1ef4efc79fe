/**
 * The list of a saved view as a file: the view's columns, filters and order, within the client and the reader's scope.
 */
import { type SQL, sql } from 'drizzle-orm';
import { type ListQuery, parseListQuery } from '../../../schema/dsl/listQuery';
import type { View } from '../../../schema/entities/saved_views';
import { parseWidths } from '../../../schema/shared/widths';
import { QueryContext } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import { type Caller, hasPermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { EntityModel, ModelEntity } from '../../context/services';
import { exportableColumns, exportFile } from '../../crud/export/exportRoute';
import { countSql } from '../../crud/query/selectStatements';
import type { Database } from '../../db/core/database';
import { piecesAtOnce } from '../../files/cells';
import type { Cell } from '../../files/csv';
import { pieceShape, readSheetRows } from '../../files/sendSheet';
import { clientCaller } from '../alerts/viewWhere';

export interface ListFile extends ReturnType<typeof exportFile> {
  entity: ModelEntity;
  query: ListQuery;
  /** Query of the number of rows. */
  count: SQL;
}

type ExportedView = Pick<View, 'resource' | 'query' | 'columns' | 'widths'>;

/**
 * Returns the rows and columns of a view's list that the caller may export. `undefined` if the caller may not export
 * the list, or if the view uses something that no longer exists.
 */
export function buildListFile(
  model: EntityModel,
  view: ExportedView,
  { caller, client }: { caller: Caller; client: number },
): ListFile | undefined {
  const entity = model.find(view.resource);
  if (!entity || !['list', 'export'].every((action) => hasPermission(caller, `${entity.name}.${action}`)))
    return undefined;
  const exportableNames = exportableColumns(entity, caller, true);
  const columns = (view.columns.length > 0 ? view.columns : entity.list.columns).filter((name) =>
    exportableNames.includes(name),
  );
  const query = parseListQuery(view.query ?? '');
  const request = {
    entity,
    caller,
    query,
    extraWhere: scopeWhere(entity, clientCaller(model, client), sql.raw('m'), new QueryContext('client')),
  };
  try {
    return {
      entity,
      query,
      ...exportFile(request, { format: 'xlsx', delimiter: ',', columns, widths: parseWidths(view.widths) }),
      count: countSql(request).sql,
    };
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

export const rowsOfList = (db: Database, { statement, printRow }: ListFile): AsyncGenerator<Cell[][]> =>
  readSheetRows(db.stream(pieceShape, statement, piecesAtOnce), printRow);
