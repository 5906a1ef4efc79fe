import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ListQuery } from '../../schema/dsl/listQuery';
import type { StateName } from '../../schema/entities/machines';
import { fetchRows } from '../providers/rows';
import { type Bounds, hasPosition, rangesOf } from './bounds';

export interface ListedMachine {
  id: number;
  serial_number: string;
  status: StateName;
  latitude: number;
  longitude: number;
}

/** The machines inside a rectangle, ordered by serial number, and their total. */
export function useMachinesWithin({
  filter,
  bounds,
  limit,
}: {
  filter: ListQuery['filter'];
  bounds: Bounds | undefined;
  limit: number;
}) {
  const filters = bounds && [...filter, ...rangesOf(bounds)];
  return useQuery({
    queryKey: ['machines', 'within', filters, limit],
    queryFn: async ({ signal }): Promise<{ data: ListedMachine[]; total: number }> => {
      const { data, total } = await fetchRows('machines', {
        filter: filters,
        sort: [{ path: 'serial_number', descending: false }],
        per_page: limit,
        fields: ['id', 'serial_number', 'status', 'latitude', 'longitude'],
        signal,
      });
      return { data: data.filter(hasPosition), total };
    },
    enabled: filters !== undefined,
    placeholderData: keepPreviousData,
  });
}
