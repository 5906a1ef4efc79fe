/** Joins of report statements that respect the caller's scope and permissions. */
import { type SQL, sql } from 'drizzle-orm';
import type { EntityName } from '../../../schema';
import type { ListQuery } from '../../../schema/dsl/listQuery';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import { notDeleted, QueryContext, table } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import { type Caller, hasPermission } from '../../context/caller';
import type { EntityModel } from '../../context/services';
import type { ReportRequest } from './reportRequest';

/**
 * SQL: a left join of visible rows, such as `left join clients c on c.id = f.client_id`. Joins nothing without
 * permission to list.
 */
export function scopeJoinSql(
  model: EntityModel,
  name: EntityName,
  { caller, as, id }: { caller: Caller; as: string; id: SQL },
): SQL {
  const entity = model.require(name);
  const row = sql.raw(as);
  const visibleWhere = hasPermission(caller, `${name}.list`)
    ? sql`${notDeleted(row)} and ${scopeWhere(entity, caller, row, new QueryContext(`${as}_`))}`
    : sql`false`;
  return sql`left join ${table(entity)} ${row} on ${row}.id = ${id} and ${visibleWhere}`;
}

/** Filters of a report in the list dialect, with those of its view. `columns` maps filters to paths of the entity. */
export function reportQuery(
  request: ReportRequest,
  columns: Partial<Record<keyof ReportRequest['filter'], string>>,
  extraFilters: Record<string, string> = {},
): ListQuery {
  const { view_id, ...places } = request.filter;
  const filters = Object.entries(places).map(([name, id]) => ({
    path: columns[name as keyof ReportRequest['filter']] ?? name,
    values: [String(id)],
  }));
  const fixedFilters = Object.entries(extraFilters).map(([path, value]) => ({ path, values: value.split(',') }));
  return { ...parseListQuery(''), filter: [...filters, ...fixedFilters, ...(request.viewFilter ?? [])] };
}
