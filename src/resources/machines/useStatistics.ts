import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Figures } from '../../charts/figures';
import type { Period, PeriodGroup } from '../../charts/period';
import { api } from '../../providers/http';

/** The machine's sums per day, week or month of a period. */
export const useStatistics = (machine: number, { group, from, to }: Period & { group: PeriodGroup }) =>
  useQuery<Figures[]>({
    queryKey: ['machines', 'statistics', machine, group, from, to],
    queryFn: ({ signal }) =>
      api<{ data: Figures[] }>(`machines/${machine}/statistics?group=${group}&from=${from}&to=${to}`, { signal }).then(
        ({ data }) => data,
      ),
    placeholderData: keepPreviousData,
  });
