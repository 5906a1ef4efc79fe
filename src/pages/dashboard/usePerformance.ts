import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { performanceDays } from '../../../schema/features/dashboard';
import { useUpdateSearch } from '../../crud/shared/useUpdateSearch';
import { can } from '../../providers/auth';
import { call } from '../../providers/call';
import { staleTime } from './useDashboard';

export type PerformanceDays = (typeof performanceDays)[number];

/** The number of days of the dashboard's period, `days` in the URL, and its setter. */
export function usePerformanceDays(): [PerformanceDays, (days: string) => void] {
  const [search] = useSearchParams();
  const updateSearch = useUpdateSearch();
  return [performanceDaysIn(search), (next) => updateSearch({ days: next })];
}

/** The number of days of the period in a URL. */
export const performanceDaysIn = (search: URLSearchParams): PerformanceDays =>
  performanceDays.find((length) => length === search.get('days')) ?? '30';

export const performanceQuery = (days: PerformanceDays) =>
  queryOptions({
    queryKey: ['dashboard', 'performance', days],
    queryFn: ({ signal }) => call('GET /dashboard/performance', { query: { days }, signal }),
    refetchInterval: ({ state }) => (state.data?.data.is_incomplete ? 3000 : 300_000),
    staleTime,
  });

export const runFiguresQuery = (days: PerformanceDays) =>
  queryOptions({
    queryKey: ['dashboard', 'runs', days],
    queryFn: ({ signal }) => call('GET /dashboard/runs', { query: { days }, signal }),
    refetchInterval: 300_000,
    staleTime,
  });

/**
 * The fleet's performance over the last `days` days. Reloaded only every five minutes, since past days rarely change.
 */
export const usePerformance = (days: PerformanceDays, { enabled = true }: { enabled?: boolean } = {}) =>
  useQuery({ ...performanceQuery(days), placeholderData: keepPreviousData, enabled });

/** Figures of the runs in that period, for users who may list runs. */
export const useRunFigures = (days: PerformanceDays, { enabled = true }: { enabled?: boolean } = {}) =>
  useQuery({ ...runFiguresQuery(days), placeholderData: keepPreviousData, enabled: enabled && can('runs', 'list') });
