import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Figures } from '../../charts/figures';
import type { Period, PeriodGroup } from '../../charts/period';
import { call } from '../../providers/call';

/** The machine's sums per day, week or month over a period. */
export const useStatistics = (machine: number, { group, from, to }: Period & { group: PeriodGroup }) =>
  useQuery<Figures[]>({
    queryKey: ['machines', 'statistics', machine, group, from, to],
    queryFn: ({ signal }) =>
      call('GET /machines/{id}/statistics', { params: { id: machine }, query: { group, from, to }, signal }).then(
        ({ data }) => data,
      ),
    placeholderData: keepPreviousData,
  });
