import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type ListQuery, printListQuery } from '../../../schema/dsl/listQuery';
import type { FleetTimelineResult } from '../../../schema/endpoints/fleetTimeline';
import { applyEvent, type TimelineSpan, timelinePeriod, timelineSpans } from '../../charts/fleetRows';
import { useUpdateSearch } from '../../crud/shared/useUpdateSearch';
import { serverNow } from '../../i18n/serverClock';
import { call } from '../../providers/call';
import { useLive } from '../../providers/useLive';

export const groupOptions = ['location', 'type', 'client'] as const;
export const orderOptions = ['name', 'idle', 'offline'] as const;

export interface TimelineChoice {
  span: TimelineSpan;
  group: (typeof groupOptions)[number] | undefined;
  order: (typeof orderOptions)[number];
}

/** Length, grouping and order of the timeline, which are parameters of the list's URL, and a setter. */
export function useTimelineChoice(): [TimelineChoice, (name: 'span' | 'group' | 'longest', value: string) => void] {
  const [search] = useSearchParams();
  const updateSearch = useUpdateSearch();
  const choice: TimelineChoice = {
    span: timelineSpans.find((span) => span === search.get('span')) ?? 'day',
    group: groupOptions.find((group) => group === search.get('group')),
    order: orderOptions.find((order) => order === search.get('longest')) ?? 'name',
  };
  return [choice, (name, value) => updateSearch({ [name]: value })];
}

/** Milliseconds between updates of the current time, and between reloads, which add late messages. */
const nowInterval = 20_000;
const refreshInterval = 5 * 60_000;
const maxPerPage = 1000;

/** The current time in milliseconds, updated every `nowInterval`. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), nowInterval);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface TimelineRequest {
  filter: ListQuery['filter'];
  choice: TimelineChoice;
  page: number;
  perPage?: number;
  now: number;
}

/** A page of the fleet timeline. Events update the states of its machines. */
export function useFleetTimeline({
  filter,
  choice: { span, group, order },
  page,
  perPage = maxPerPage,
  now,
}: TimelineRequest) {
  const client = useQueryClient();
  const { from, to } = timelinePeriod(span, now);
  useLive('resource/machines', ({ topic, payload }) => {
    if (!payload || !('status' in payload)) return;
    const id = Number(topic.split('/')[2]);
    client.setQueriesData<{ data: FleetTimelineResult }>({ queryKey: ['machines', 'fleet_timeline'] }, (response) => {
      const data = response && applyEvent(response.data, id, payload);
      // Setting an equal value would count as a new response.
      return response && data && data !== response.data ? { ...response, data } : undefined;
    });
  });
  const search = printListQuery({ filter, per_page: perPage, page });
  const result = useQuery({
    queryKey: ['machines', 'fleet_timeline', search, span, from, group, order],
    queryFn: ({ signal }) => {
      const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), group, sort: order };
      return call('GET /machines/timeline', { query, search, signal });
    },
    // Never shows the response for another span, which would be drawn at the wrong scale.
    placeholderData: (previous, query) => (query?.queryKey[3] === span ? previous : undefined),
    refetchInterval: refreshInterval,
  });
  return { ...result, length: to - from };
}
