import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ListQuery, printListQuery } from '../../schema/dsl/query';
import type { StateName } from '../../schema/entities/machines';
import { api } from '../providers/http';
import { type Bounds, rangesOf } from './bounds';

export interface ListedMachine {
  id: number;
  serial_number: string;
  status: StateName;
  latitude: number;
  longitude: number;
}

/** The machines inside a rectangle by serial number, and their total. */
export function useMachinesWithin({
  filter,
  bounds,
  most,
}: {
  filter: ListQuery['filter'];
  bounds: Bounds | undefined;
  most: number;
}) {
  const query = bounds && printListQuery(queryWithin(filter, bounds, most));
  return useQuery({
    queryKey: ['machines', 'within', query],
    queryFn: ({ signal }) => api<{ data: ListedMachine[]; total: number }>(`machines?${query}`, { signal }),
    enabled: query !== undefined,
    placeholderData: keepPreviousData,
  });
}

function queryWithin(filter: ListQuery['filter'], bounds: Bounds, most: number): Partial<ListQuery> {
  return {
    filter: [...filter, ...rangesOf(bounds)],
    sort: [{ path: 'serial_number', descending: false }],
    per_page: most,
    fields: { machines: ['id', 'serial_number', 'status', 'latitude', 'longitude'] },
  };
}
