/** The inbox of the session: read by the bell on every page, and by the dashboard. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './call';
import { useLive } from './useLive';
import { useThrottle } from './useThrottle';

const minute = 60_000;
const inboxKey = ['inbox'];
/** Milliseconds between reloads after events that change the inbox, and after those that seldom do. */
const [shortDelay, longDelay] = [3000, 30_000];
/** Milliseconds for which the server may answer without what telemetry changed. */
const unseenFor = 5500;

export const inboxQuery = ({ aside = false }: { aside?: boolean } = {}) =>
  queryOptions({
    queryKey: [...inboxKey, aside],
    queryFn: async ({ signal }) => (await call('GET /inbox', { query: aside ? { aside } : {}, signal })).data,
    refetchInterval: minute,
    staleTime: shortDelay,
  });

export const useInbox = ({ aside, enabled = true }: { aside?: boolean; enabled?: boolean } = {}) =>
  useQuery({ ...inboxQuery({ aside }), enabled });

/** Returns a function that reloads the inbox. */
export function useReloadInbox(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: inboxKey });
}

/** Reloads the inbox at events. A machine that changes its state is seldom one that was silent for long. */
export function useLiveInbox(): void {
  const reload = useReloadInbox();
  const reloadSoon = useThrottle(() => void reload(), shortDelay);
  const reloadLater = useThrottle(() => void setTimeout(() => void reload(), unseenFor), longDelay);
  useLive('resource/alerts', reloadSoon);
  useLive('resource/imports', reloadSoon);
  useLive('resource/trackers', ({ type, payload = {} }) => {
    if (type !== 'updated' || payload.assigned !== undefined || Object.keys(payload).length === 0) reloadSoon();
  });
  useLive('resource/locations', reloadSoon);
  useLive('resource/machines', ({ payload = {} }) => {
    if (Object.keys(payload).length === 0) reloadSoon();
    else if (payload.status !== undefined) reloadLater();
  });
}
