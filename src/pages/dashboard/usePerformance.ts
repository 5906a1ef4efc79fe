import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { performanceDays } from '../../../schema/features/dashboard';
import { useUpdateSearch } from '../../crud/shared/useUpdateSearch';
import { can } from '../../providers/auth';
import { call } from '../../providers/call';

export type PerformanceDays = (typeof performanceDays)[number];

/** The length of the dashboard's period, `days` in the address, and its setter. */
export function usePerformanceDays(): [PerformanceDays, (days: string) => void] {
  const [search] = useSearchParams();
  const updateSearch = useUpdateSearch();
  const days = performanceDays.find((length) => length === search.get('days')) ?? '30';
  return [days, (next) => updateSearch({ days: next })];
}

/** The fleet's performance in that period. Past days rarely change, so it is reloaded every five minutes. */
export const usePerformance = (days: PerformanceDays, { enabled = true }: { enabled?: boolean } = {}) =>
  useQuery({
    queryKey: ['dashboard', 'performance', days],
    queryFn: ({ signal }) => call('GET /dashboard/performance', { query: { days }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 300_000,
    enabled,
  });

/** Figures by runs of that period, for who may list runs. */
export const useRunFigures = (days: PerformanceDays, { enabled = true }: { enabled?: boolean } = {}) =>
  useQuery({
    queryKey: ['dashboard', 'runs', days],
    queryFn: ({ signal }) => call('GET /dashboard/runs', { query: { days }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 300_000,
    enabled: enabled && can('runs', 'list'),
  });
