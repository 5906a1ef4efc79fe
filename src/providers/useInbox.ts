/** The user's inbox, read by the bell on every page and by the dashboard. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './call';
import { useLive } from './useLive';
import { useThrottle } from './useThrottle';

const minute = 60_000;
const inboxKey = ['inbox'];
/** Minimum milliseconds between reloads: after events that usually change the inbox, and after those that rarely do. */
const [shortDelay, longDelay] = [3000, 30_000];
/** Milliseconds by which the server's response may lag behind telemetry. */
const serverLag = 5500;

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

/** Reloads the inbox on events. Events of machine states use the long delay: few concern a machine with a finding. */
export function useLiveInbox(): void {
  const reload = useReloadInbox();
  const reloadSoon = useThrottle(() => void reload(), shortDelay);
  const reloadLater = useThrottle(() => void setTimeout(() => void reload(), serverLag), longDelay);
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
