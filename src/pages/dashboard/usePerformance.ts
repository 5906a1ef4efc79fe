import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { performanceDays } from '../../../schema/features/dashboard';
import { call } from '../../providers/call';

export type PerformanceDays = (typeof performanceDays)[number];

/** The length of the dashboard's period, in the page's address as `days`. */
export function usePerformanceDays(): [PerformanceDays, (days: string) => void] {
  const [search, setSearch] = useSearchParams();
  const days = performanceDays.find((length) => length === search.get('days')) ?? '30';
  const choose = (next: string) =>
    setSearch(
      (current) => {
        const changed = new URLSearchParams(current);
        changed.set('days', next);
        return changed;
      },
      { replace: true },
    );
  return [days, choose];
}

/** The fleet's performance in that period. Complete days change little: read again every five minutes. */
export const usePerformance = (days: PerformanceDays) =>
  useQuery({
    queryKey: ['dashboard', 'performance', days],
    queryFn: ({ signal }) => call('GET /dashboard/performance', { query: { days }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 300_000,
  });
