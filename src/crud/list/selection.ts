/** Which rows are chosen, some by id or every row that matches the filters, and what the reader may do with them. */
import { type Identifier, type RaRecord, useEvent, useListContext } from 'ra-core';
import { useEffect, useRef, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { namedRoles } from '../../../schema/shared/roles';
import { can, currentUser } from '../../providers/auth';
import type { Filters } from '../../providers/filter';

export type BulkAction = 'edit' | 'export' | 'delete' | 'restore' | 'purge';

export interface Selection {
  ids: readonly Identifier[];
  /** Every row that matches, on all pages. */
  everything: boolean;
  count: number;
  has: (id: Identifier) => boolean;
  /** With `range`, everything from the row touched last up to this one. */
  toggle: (id: Identifier, range?: boolean) => void;
  togglePage: () => void;
  selectEverything: () => void;
  clear: () => void;
  /** The filters in force, for calls on everything. */
  filter: Filters;
}

export function useSelection(): Selection {
  const { data, total = 0, selectedIds, onSelect, filterValues, filter } = useListContext<RaRecord>();
  const [everything, setEverything] = useState(false);
  const last = useRef<Identifier>(undefined);
  const all = { ...filterValues, ...filter } as Filters;
  const key = JSON.stringify(all);
  // What "everything" means has changed: it is no longer what was chosen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filters are what it depends on
  useEffect(() => setEverything(false), [key]);

  const pageIds = data?.map(({ id }) => id) ?? [];
  const has = (id: Identifier) => everything || selectedIds.includes(id);
  const choose = (ids: readonly Identifier[]) => {
    setEverything(false);
    onSelect([...new Set(ids)]);
  };
  const toggle = useEvent((id: Identifier, range = false) => {
    const chosen = everything ? pageIds : selectedIds;
    const ids = range && last.current !== undefined ? idsBetween(pageIds, last.current, id) : [id];
    last.current = id;
    choose(has(id) && !range ? chosen.filter((other) => other !== id) : [...chosen, ...ids]);
  });
  const togglePage = () =>
    choose(pageIds.every(has) ? selectedIds.filter((id) => !pageIds.includes(id)) : [...selectedIds, ...pageIds]);
  return {
    ids: selectedIds,
    everything,
    count: everything ? total : selectedIds.length,
    has,
    toggle,
    togglePage,
    selectEverything: () => setEverything(true),
    clear: () => choose([]),
    filter: all,
  };
}

/**
 * What the reader may do with many rows at once; deleted ones can be written to a file, brought back, or removed for
 * good.
 */
export function bulkActionsOf(entity: Entity, isBin: boolean): BulkAction[] {
  if (!isBin) return (['edit', 'export', 'delete'] as const).filter((action) => can(entity.name, action));
  const may: Partial<Record<BulkAction, boolean>> = {
    restore: can(entity.name, 'delete'),
    export: can(entity.name, 'export'),
    purge: can(entity.name, 'delete') && mayPurge(),
  };
  return (['restore', 'export', 'purge'] as const).filter((action) => may[action]);
}

/** Whether the reader may remove rows of the bin for good; the same rule as on the server. */
export const mayPurge = (): boolean => currentUser()?.roles.includes(namedRoles.admin.name) ?? false;

/** The ids from one to the other, in the order of the page; just the second when the first is on another page. */
export function idsBetween(ids: readonly Identifier[], from: Identifier, to: Identifier): Identifier[] {
  const [start, end] = [ids.indexOf(from), ids.indexOf(to)];
  if (start < 0 || end < 0) return [to];
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}
