import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../providers/call';
import { useLive } from '../../providers/useLive';
import { useThrottle } from '../../providers/useThrottle';

const recountAfter = 5000;
const minute = 60_000;

/** The key figures; reloaded every minute, and after changes of state at most every 5 s. */
export function useDashboard() {
  const client = useQueryClient();
  const recount = useThrottle(
    () => void client.invalidateQueries({ queryKey: ['dashboard'], exact: true }),
    recountAfter,
  );
  useLive('resource/machines', ({ payload }) => {
    if (payload?.status !== undefined) recount();
  });
  return useQuery({
    queryKey: ['dashboard'],
    queryFn: () => call('GET /dashboard'),
    refetchInterval: minute,
  });
}
