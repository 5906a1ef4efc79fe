/**
 * Converts between the state of a list and a saved view, which stores filters, sort, page size and grouping as a query,
 * and the columns and layout.
 */
import type { RaRecord, SortPayload } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { defaultPerPage, parseListQuery, printListQuery } from '../../../schema/dsl/listQuery';
import { layouts, type View } from '../../../schema/entities/saved_views';
import { parseWidths, printWidths, type Widths } from '../../../schema/shared/widths';
import { type Filters, type FilterValue, filteredBy, filterOf } from '../../providers/filters';

export interface SavedView extends View, RaRecord {
  id: number;
  layout: (typeof layouts)[number];
  client_id: number | null;
  role_id: number | null;
  is_default: boolean;
  user_id: number | null;
}

/** The parts of a list's state that a view stores. */
export interface ListSnapshot {
  filter: Filters;
  sort: SortPayload;
  perPage: number;
  columns: readonly string[];
  widths: Widths;
  /** The layout, such as `map`; `undefined` for the table. */
  view: string | undefined;
  /** The field by which the list is grouped. */
  by?: string | undefined;
}

/** Field values of a saved view for the current list. */
export function viewValues(
  entity: Entity,
  { filter, sort, perPage, columns, widths, view, by }: ListSnapshot,
): Pick<SavedView, 'resource' | 'query' | 'columns' | 'widths' | 'layout'> {
  const query = printListQuery({
    filter: filterOf(entity, filter),
    sort: [{ path: sort.field, descending: sort.order === 'DESC' }],
    per_page: perPage,
  });
  return {
    resource: entity.name,
    query: by ? `${query}&${new URLSearchParams({ by })}` : query,
    columns: [...columns],
    widths: printWidths(widths, columns),
    layout: layouts.find((layout) => layout === view) ?? 'table',
  };
}

/** Whether the list currently shows what the view stores. */
export function matchesView(entity: Entity, view: SavedView, snapshot: ListSnapshot): boolean {
  const current = viewValues(entity, snapshot);
  const viewSnapshot = viewValues(entity, listSnapshotOf(entity, view, snapshot.columns));
  return (
    current.query === viewSnapshot.query &&
    current.layout === viewSnapshot.layout &&
    current.columns.join() === viewSnapshot.columns.join() &&
    current.widths.join() === viewSnapshot.widths.join()
  );
}

/** The list state that a view stores. A view without columns keeps the current ones. */
export function listSnapshotOf(
  entity: Entity,
  { query, columns, widths, layout }: SavedView,
  currentColumns: readonly string[],
): ListSnapshot {
  const { filter, sort, per_page } = parseListQuery(query ?? '');
  const [first] = sort;
  const declared = entity.list.sort;
  return {
    filter: Object.fromEntries(filter.map(({ path, values }) => [path, typedValue(entity, path, values)])),
    sort: {
      field: first?.path ?? declared.replace(/^-/, ''),
      order: (first ? first.descending : declared.startsWith('-')) ? 'DESC' : 'ASC',
    },
    perPage: per_page || defaultPerPage,
    columns: columns.length > 0 ? columns : currentColumns,
    widths: parseWidths(widths ?? []),
    view: layout === 'table' ? undefined : layout,
    by: new URLSearchParams(query ?? '').get('by') ?? undefined,
  };
}

/** Query string of the page for a list state. */
export function listSearch({ filter, sort, perPage, view, by }: ListSnapshot): string {
  const params = new URLSearchParams({
    filter: JSON.stringify(filter),
    sort: sort.field,
    order: sort.order,
    perPage: String(perPage),
    page: '1',
  });
  if (view) params.set('view', view);
  if (by) params.set('by', by);
  return params.toString();
}

/** Converts values to the types of the page's controls, which distinguish numbers and booleans from texts. */
function typedValue(entity: Entity, path: string, values: readonly string[]): FilterValue {
  const kind = filteredBy(entity, path)?.kind;
  const typedValues = values.map((value) => {
    if (value === 'null') return null;
    if (kind === 'boolean') return value === 'true';
    if ((kind === 'ref' || kind === 'refs') && /^\d+$/.test(value)) return Number(value);
    return value;
  });
  return typedValues.length === 1 ? (typedValues[0] as FilterValue) : typedValues;
}
