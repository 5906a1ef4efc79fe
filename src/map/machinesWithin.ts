import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ListQuery, printListQuery } from '../../schema/dsl/query';
import type { StateName } from '../../schema/entities/machines';
import { api } from '../providers/http';
import type { Bounds } from './bounds';

export interface ListedMachine {
  id: number;
  serial_number: string;
  status: StateName;
  latitude: number;
  longitude: number;
}

/** The machines inside a rectangle, by serial number, with how many there are in all. */
export function useMachinesWithin({ filter, bounds, most }: { filter: ListQuery['filter']; bounds: Bounds | undefined; most: number }) {
  const query = bounds && printListQuery(queryWithin(filter, bounds, most));
  return useQuery({
    queryKey: ['machines', 'within', query],
    queryFn: ({ signal }) => api<{ data: ListedMachine[]; total: number }>(`machines?${query}`, { signal }),
    enabled: query !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** The filter of the list dialect for a rectangle; the edges belong to it. */
export function queryWithin(filter: ListQuery['filter'], [west, south, east, north]: Bounds, most: number): Partial<ListQuery> {
  const margin = 1e-6;
  return {
    filter: [
      ...filter,
      { path: 'latitude', values: [`>=${fixed(south - margin)}`, `<=${fixed(north + margin)}`] },
      { path: 'longitude', values: [`>=${fixed(west - margin)}`, `<=${fixed(east + margin)}`] },
    ],
    sort: [{ path: 'serial_number', descending: false }],
    per_page: most,
    fields: { machines: ['id', 'serial_number', 'status', 'latitude', 'longitude'] },
  };
}

const fixed = (degrees: number) => degrees.toFixed(6);
