/** The saved views of a list, loaded on demand or opened by URL. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useListContext } from 'ra-core';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { currentUser } from '../../providers/auth';
import type { Filters } from '../../providers/filters';
import { fetchRow } from '../../providers/rows';
import type { Columns } from './columns';
import { defaultViewsQuery, fetchViews } from './defaultViews';
import { type ListSnapshot, listSearch, listSnapshotOf, type SavedView } from './savedView';

/** The views of one list; loads them once `enabled` is true. */
export const useSavedViews = (entity: Entity, enabled: boolean) =>
  useQuery({
    queryKey: ['saved_views', 'of', entity.name],
    queryFn: () => fetchViews('resource', entity.name),
    enabled,
    meta: { quiet: true },
  });

/** The current state of the list. */
export function useListSnapshot(columns: Columns, layout: Pick<ListSnapshot, 'view' | 'by'>): ListSnapshot {
  const { filterValues, sort, perPage } = useListContext();
  const names = [
    ...columns.visible.filter(({ isFiltered }) => !isFiltered).map(({ name }) => name),
    ...(columns.picture ? [columns.picture] : []),
  ];
  return { filter: filterValues as Filters, sort, perPage, columns: names, widths: columns.widths, ...layout };
}

/** Applies a view to the list. */
export function useOpenView(entity: Entity, columns: Columns): (view: SavedView, replace?: boolean) => void {
  const navigate = useNavigate();
  return (view, replace = false) => {
    const target = listSnapshotOf(entity, view, []);
    if (view.columns.length > 0) columns.choose(view.columns, target.widths);
    navigate({ search: listSearch(target) }, { replace });
  };
}

/**
 * Opens the view whose id is in `?saved=`, with its columns, as links in mails do. If the user may not open it, only
 * the other parameters of the URL apply.
 */
export function useNamedView(entity: Entity, columns: Columns, embedded: boolean): void {
  const { search } = useLocation();
  const openView = useOpenView(entity, columns);
  const id = embedded ? null : new URLSearchParams(search).get('saved');
  const { data: view } = useQuery({
    queryKey: ['saved_views', 'named', id],
    queryFn: async (): Promise<SavedView> => (await fetchRow('saved_views', id ?? '')).data,
    enabled: id !== null,
    meta: { quiet: true },
  });
  const openedViewRef = useRef<string>(undefined);
  useEffect(() => {
    if (!view || id === null || openedViewRef.current === id || view.resource !== entity.name) return;
    openedViewRef.current = id;
    openView(view, true);
  }, [entity, id, openView, view]);
}

/**
 * Applies the default view if the list opens without parameters or filters: the user's own, else the client's, else the
 * role's.
 */
export function useDefaultView(entity: Entity, columns: Columns, embedded: boolean): void {
  const client = useQueryClient();
  const { search } = useLocation();
  const { filterValues } = useListContext();
  const openView = useOpenView(entity, columns);
  const hasOpened = useRef(false);
  // A list does not wait for views that were not loaded before it, only for those that have changed since.
  const isPrefetched = client.getQueryData(defaultViewsQuery.queryKey) !== undefined;
  const { data: defaultViews, isFetching } = useQuery({ ...defaultViewsQuery, enabled: isPrefetched && !embedded });
  const isReloading = isPrefetched && isFetching;
  useEffect(() => {
    if (embedded || hasOpened.current || isReloading) return;
    hasOpened.current = true;
    if (search !== '' || Object.keys(filterValues).length > 0) return;
    const userId = currentUser()?.id;
    const rank = (view: SavedView) =>
      view.user_id === userId && !view.client_id && !view.role_id ? 0 : view.client_id ? 1 : 2;
    const views = (defaultViews ?? []).filter(({ resource }) => resource === entity.name);
    const [first] = views.sort((a, b) => rank(a) - rank(b));
    if (first) openView(first, true);
  }, [defaultViews, embedded, entity, filterValues, isReloading, openView, search]);
}
