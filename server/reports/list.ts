/** The list of a saved view as a file: its columns, filters and order, within the client and within what the reader reaches. */
import { type SQL, sql } from 'drizzle-orm';
import type { Entity } from '../../schema/dsl/entity';
import { type ListQuery, readListQuery } from '../../schema/dsl/query';
import type { View } from '../../schema/entities/saved_views';
import { readWidths } from '../../schema/widths';
import { ofClient } from '../alerts/viewed';
import { type Caller, hasPermission } from '../api/caller';
import { columnsFor, fileOf } from '../api/entity/export';
import { countSql } from '../api/entity/select';
import { ApiError } from '../api/errors';
import { piecesAtOnce } from '../api/exchange/cells';
import type { Cell } from '../api/exchange/csv';
import { rowsOf } from '../api/exchange/stream';
import { registeredEntities, QueryContext } from '../api/model';
import { scopeWhere } from '../api/scope';
import type { Database } from '../db/database';

export interface ListFile extends ReturnType<typeof fileOf> {
  entity: Entity;
  query: ListQuery;
  /** How many rows there are. */
  count: SQL;
}

type Shown = Pick<View, 'resource' | 'query' | 'columns' | 'widths'>;

/** What the caller may have of a view's list; `undefined` where they may not have it, or where it asks for what there is no more. */
export function listFile(view: Shown, { caller, client }: { caller: Caller; client: number }): ListFile | undefined {
  const entity = registeredEntities().find(({ name }) => name === view.resource);
  if (!entity || !['list', 'export'].every((action) => hasPermission(caller, `${entity.name}.${action}`))) return undefined;
  const known = columnsFor(entity, caller, true);
  const columns = (view.columns.length > 0 ? view.columns : entity.list.columns).filter((name) => known.includes(name));
  const query = readListQuery(view.query ?? '');
  const reading = { entity, caller, query, extra: scopeWhere(entity, ofClient(client), sql.raw('m'), new QueryContext('client')) };
  try {
    return { entity, query, ...fileOf(reading, { format: 'xlsx', delimiter: ',', columns, widths: readWidths(view.widths) }), count: countSql(reading).sql };
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

export const rowsOfList = (db: Database, { statement, say }: ListFile): AsyncGenerator<Cell[][]> =>
  rowsOf(db.stream<{ piece: string | null; rows: number }>(statement, piecesAtOnce), say);
