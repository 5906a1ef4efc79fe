/** Selected rows, by id or all that match the filters, and the actions on them. */
import { type Identifier, type RaRecord, useEvent, useListContext } from 'ra-core';
import { useEffect, useRef, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { namedRoles } from '../../../schema/shared/roles';
import { can, currentUser } from '../../providers/auth';
import type { Filters } from '../../providers/filters';

export type BulkAction = 'edit' | 'export' | 'delete' | 'restore' | 'purge';

export interface Selection {
  ids: readonly Identifier[];
  /** Whether all matching rows on all pages are selected. */
  isAllMatching: boolean;
  count: number;
  has: (id: Identifier) => boolean;
  /** With `range`, selects the rows from the last selected one to this one. */
  toggle: (id: Identifier, range?: boolean) => void;
  togglePage: () => void;
  selectAllMatching: () => void;
  clear: () => void;
  /** The active filters, for calls on all matching rows. */
  filter: Filters;
}

export function useSelection(): Selection {
  const { data, total = 0, selectedIds, onSelect, filterValues, filter } = useListContext<RaRecord>();
  const [isAllMatching, setAllMatching] = useState(false);
  const lastSelectedId = useRef<Identifier>(undefined);
  const activeFilters = { ...filterValues, ...filter } as Filters;
  const key = JSON.stringify(activeFilters);
  // Other filters change which rows "all" means.
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run when the filters change
  useEffect(() => setAllMatching(false), [key]);

  const pageIds = data?.map(({ id }) => id) ?? [];
  const has = (id: Identifier) => isAllMatching || selectedIds.includes(id);
  const select = (ids: readonly Identifier[]) => {
    setAllMatching(false);
    onSelect([...new Set(ids)]);
  };
  const toggle = useEvent((id: Identifier, range = false) => {
    const currentIds = isAllMatching ? pageIds : selectedIds;
    const ids = range && lastSelectedId.current !== undefined ? idsBetween(pageIds, lastSelectedId.current, id) : [id];
    lastSelectedId.current = id;
    select(has(id) && !range ? currentIds.filter((other) => other !== id) : [...currentIds, ...ids]);
  });
  const togglePage = () =>
    select(pageIds.every(has) ? selectedIds.filter((id) => !pageIds.includes(id)) : [...selectedIds, ...pageIds]);
  return {
    ids: selectedIds,
    isAllMatching,
    count: isAllMatching ? total : selectedIds.length,
    has,
    toggle,
    togglePage,
    selectAllMatching: () => setAllMatching(true),
    clear: () => select([]),
    filter: activeFilters,
  };
}

/** Bulk actions that the user may take. Soft-deleted rows can be exported, restored or purged. */
export function bulkActionsOf(entity: Entity, isBin: boolean): BulkAction[] {
  if (!isBin) return (['edit', 'export', 'delete'] as const).filter((action) => can(entity.name, action));
  const isAllowed: Partial<Record<BulkAction, boolean>> = {
    restore: can(entity.name, 'delete'),
    export: can(entity.name, 'export'),
    purge: can(entity.name, 'delete') && canPurge(),
  };
  return (['restore', 'export', 'purge'] as const).filter((action) => isAllowed[action]);
}

/** Whether the user may purge soft-deleted rows; the server has the same rule. */
export const canPurge = (): boolean => currentUser()?.roles.includes(namedRoles.admin.name) ?? false;

/** The ids from one to the other in page order, or only the second one if the first is on another page. */
export function idsBetween(ids: readonly Identifier[], from: Identifier, to: Identifier): Identifier[] {
  const [start, end] = [ids.indexOf(from), ids.indexOf(to)];
  if (start < 0 || end < 0) return [to];
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}
