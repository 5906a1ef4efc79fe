/** Default views of lists, loaded before a list opens. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { can } from '../../providers/auth';
import { api } from '../../providers/http';
import type { SavedView } from './savedView';

export const askViews = async (filter: string): Promise<SavedView[]> =>
  (await api<{ data: SavedView[] }>(`saved_views?per_page=1000&sort=name&${filter}`)).data;

export const defaultsKey = ['saved_views', 'defaults'];

/** Prefetches the default views once, while the user is on another page. */
export function usePrefetchDefaults(): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!can('saved_views', 'list')) return;
    const timer = setTimeout(
      () =>
        void client.prefetchQuery({
          queryKey: defaultsKey,
          queryFn: () => askViews('filter[is_default]=true'),
          staleTime: Number.POSITIVE_INFINITY,
          meta: { quiet: true },
        }),
      1000,
    );
    return () => clearTimeout(timer);
  }, [client]);
}
