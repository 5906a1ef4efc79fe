/** Default views of lists, loaded before a list opens. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { can } from '../../providers/auth';
import { fetchRows } from '../../providers/rows';
import type { SavedView } from './savedView';

/** The saved views that have a value in a field, ordered by name. */
export const fetchViews = async (path: 'resource' | 'is_default', value: string): Promise<SavedView[]> => {
  const sort = [{ path: 'name', descending: false }];
  return (await fetchRows('saved_views', { per_page: 1000, sort, filter: [{ path, values: [value] }] })).data;
};

/** The default views of all lists. Loaded once, and again after a change of a view. */
export const defaultViewsQuery = {
  queryKey: ['saved_views', 'defaults'],
  queryFn: () => fetchViews('is_default', 'true'),
  staleTime: Number.POSITIVE_INFINITY,
  // Outside of lists no component observes the query, so the cache would drop it after 5 minutes.
  gcTime: Number.POSITIVE_INFINITY,
  meta: { quiet: true },
};

/** Prefetches the default views once, while the user is on another page. */
export function usePrefetchDefaults(): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!can('saved_views', 'list')) return;
    const timer = setTimeout(() => void client.prefetchQuery(defaultViewsQuery), 1000);
    return () => clearTimeout(timer);
  }, [client]);
}
