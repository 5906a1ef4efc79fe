import { useQuery } from '@tanstack/react-query';
import { addDays, presentDay } from '../../charts/period';
import { call } from '../../providers/call';
import { staleTime } from './useDashboard';

/** Maximum number of sites on the start page; the calendar shows all. */
const maxSites = 12;
/** Number of days before and after today. */
const daysAround = 3;

/** Planned and done work of a Site Manager's sites around today. */
export function useOwnSites({ enabled = true }: { enabled?: boolean } = {}) {
  const today = presentDay();
  const {
    data: sites,
    isLoading,
    failureCount,
  } = useQuery({
    queryKey: ['dashboard', 'own sites', today],
    queryFn: ({ signal }) =>
      call('GET /locations/calendar', {
        query: { from: addDays(today, -daysAround), to: addDays(today, daysAround) },
        search: `per_page=${maxSites}`,
        signal,
      }).then(({ data }) => data),
    refetchInterval: 60_000,
    staleTime,
    enabled,
  });
  const days = Array.from({ length: 2 * daysAround + 1 }, (_, index) => addDays(today, index - daysAround));
  return { sites, isLoading, failureCount, days };
}
