/**
 * A list as it stands, and a saved view, turned into each other: filters, order and page size in the list dialect,
 * columns, table or map.
 */
import type { RaRecord, SortPayload } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { defaultPerPage, printListQuery, readListQuery } from '../../../schema/dsl/query';
import type { View } from '../../../schema/entities/saved_views';
import { printWidths, readWidths, type Widths } from '../../../schema/shared/widths';
import { type Filters, type FilterValue, filteredBy, filterOf } from '../../providers/filter';

export interface SavedView extends View, RaRecord {
  id: number;
  layout: 'table' | 'map';
  client_id: number | null;
  role_id: number | null;
  is_default: boolean;
  user_id: number;
}

/** What a view keeps of a list. */
export interface ListSnapshot {
  filter: Filters;
  sort: SortPayload;
  perPage: number;
  columns: readonly string[];
  widths: Widths;
  /** The name of the view other than the table, as `map`. */
  view: string | undefined;
}

/** The values of a saved view for the list as it stands. */
export function keptOf(
  entity: Entity,
  { filter, sort, perPage, columns, widths, view }: ListSnapshot,
): Pick<SavedView, 'resource' | 'query' | 'columns' | 'widths' | 'layout'> {
  const query = printListQuery({
    filter: filterOf(entity, filter),
    sort: [{ path: sort.field, descending: sort.order === 'DESC' }],
    per_page: perPage,
  });
  return {
    resource: entity.name,
    query,
    columns: [...columns],
    widths: printWidths(widths, columns),
    layout: view === 'map' ? 'map' : 'table',
  };
}

/** Whether the list stands as the view says. */
export function matchesView(entity: Entity, view: SavedView, standing: ListSnapshot): boolean {
  const now = keptOf(entity, standing);
  const kept = keptOf(entity, listSnapshotOf(entity, view, standing.columns));
  return (
    now.query === kept.query &&
    now.layout === kept.layout &&
    now.columns.join() === kept.columns.join() &&
    now.widths.join() === kept.widths.join()
  );
}

/** The list as the view wants it; where it names no columns those at hand stay. */
export function listSnapshotOf(
  entity: Entity,
  { query, columns, widths, layout }: SavedView,
  otherwise: readonly string[],
): ListSnapshot {
  const { filter, sort, per_page } = readListQuery(query ?? '');
  const [first] = sort;
  const declared = entity.list.sort;
  return {
    filter: Object.fromEntries(filter.map(({ path, values }) => [path, typedValue(entity, path, values)])),
    sort: {
      field: first?.path ?? declared.replace(/^-/, ''),
      order: (first ? first.descending : declared.startsWith('-')) ? 'DESC' : 'ASC',
    },
    perPage: per_page || defaultPerPage,
    columns: columns.length > 0 ? columns : otherwise,
    widths: readWidths(widths ?? []),
    view: layout === 'map' ? 'map' : undefined,
  };
}

/** The query string of the page that shows a list so. */
export function listSearch({ filter, sort, perPage, view }: ListSnapshot): string {
  const params = new URLSearchParams({
    filter: JSON.stringify(filter),
    sort: sort.field,
    order: sort.order,
    perPage: String(perPage),
    page: '1',
  });
  if (view) params.set('view', view);
  return params.toString();
}

/** Values as the page's own controls give them: numbers and yes or no are not texts there. */
function typedValue(entity: Entity, path: string, values: readonly string[]): FilterValue {
  const kind = filteredBy(entity, path)?.kind;
  const typed = values.map((value) => {
    if (value === 'null') return null;
    if (kind === 'boolean') return value === 'true';
    if ((kind === 'ref' || kind === 'refs') && /^\d+$/.test(value)) return Number(value);
    return value;
  });
  return typed.length === 1 ? (typed[0] as FilterValue) : typed;
}
