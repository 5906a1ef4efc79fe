/** The groups of a list with counts and sums, and the filter for the rows of one group. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useListContext } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { groupingOf } from '../../../schema/dsl/grouping';
import { printListQuery } from '../../../schema/dsl/listQuery';
import type { ResponseBody } from '../../../schema/endpoints/endpoint';
import type { EntityCalls } from '../../../schema/endpoints/entityCalls';
import { call } from '../../providers/call';
import { type Filters, filterOf } from '../../providers/filters';
import { useLive } from '../../providers/useLive';
import { useThrottle } from '../../providers/useThrottle';
import type { Columns } from './columns';

export type ListGroup = ResponseBody<EntityCalls['GET /{resource}/groups']>['data'][number];

interface GroupsRequest {
  entity: Entity;
  by: string;
  columns: Columns;
  /** Maximum number of groups to load. */
  count: number;
}

/** Minimum milliseconds between two requests for counts while rows keep changing. */
const recountAfter = 5000;

export function useGroups({ entity, by, columns, count }: GroupsRequest) {
  const client = useQueryClient();
  const { filterValues, filter } = useListContext();
  const sums = columns.visible.filter(({ field }) => field.additive).map(({ name }) => name);
  const search = printListQuery({ filter: filterOf(entity, { ...filterValues, ...filter }), per_page: count });
  const query = useQuery({
    queryKey: [entity.name, 'groups', by, sums.join(), search],
    queryFn: ({ signal }) =>
      call('GET /{resource}/groups', {
        params: { resource: entity.name },
        query: { by, sums: sums.join() },
        search,
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  useLive(
    `resource/${entity.name}`,
    useThrottle(() => void client.invalidateQueries({ queryKey: [entity.name, 'groups'] }), recountAfter),
  );
  return query;
}

/**
 * Name of a filter group with a single alternative. The server combines it by "and" with all other filters, even on the
 * same field.
 */
const groupAlternative = 'any.999.0';

/** Filter that selects the rows of a group from those of the list. */
export function filterOfGroup(entity: Entity, by: string, { value }: ListGroup): Filters {
  const field = entity.fields[by];
  const isMonth = value !== null && field !== undefined && groupingOf(field) === 'month';
  return { [`${groupAlternative}.${by}`]: isMonth ? rangeOfMonth(String(value)) : value };
}

function rangeOfMonth(month: string): string[] {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const days = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return [`>=${month}-01`, `<=${month}-${days}`];
}
