import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../providers/call';
import { useLive } from '../../providers/useLive';
import { useThrottle } from '../../providers/useThrottle';

/** Milliseconds for which components share a response instead of requesting it again. */
export const staleTime = 3000;
const recountAfter = 5000;
const minute = 60_000;

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: () => call('GET /dashboard'),
  refetchInterval: minute,
  staleTime,
});

/** The key figures. Reloaded every minute, and at most every 5 s after state changes. */
export function useDashboard() {
  const client = useQueryClient();
  const recount = useThrottle(
    () => void client.invalidateQueries({ queryKey: ['dashboard'], exact: true }),
    recountAfter,
  );
  useLive('resource/machines', ({ payload }) => {
    if (payload?.status !== undefined) recount();
  });
  return useQuery(dashboardQuery);
}
