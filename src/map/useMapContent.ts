import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type ListQuery, printListQuery } from '../../schema/dsl/listQuery';
import { call } from '../providers/call';
import { useLive } from '../providers/useLive';
import { type Bounds, printBounds, world } from './bounds';
import { type MapContent, type Movement, moveMachine } from './mapContent';

export type Filter = ListQuery['filter'];
export interface Viewport {
  bounds: Bounds;
  zoom: number;
}

/** Minimum milliseconds between reloads of clusters while machines move. */
const refreshAfter = 10_000;

/** The server's response for the viewport, kept current by live events. */
export function useMapContent({ filter, viewport }: { filter: Filter; viewport: Viewport | undefined }) {
  const client = useQueryClient();
  const isStale = useRef(false);

  useLive('resource/machines', ({ topic, type, payload }) => {
    const id = Number(topic.split('/')[2]);
    const movement = (payload ?? {}) as Movement;
    client.setQueriesData<MapContent>(
      { queryKey: ['machines', 'map'] },
      (result) => result && moveMachine(result, id, movement),
    );
    isStale.current ||= type !== 'updated' || 'status' in movement || 'latitude' in movement;
  });

  useEffect(() => {
    const timer = setInterval(() => {
      if (!isStale.current || document.hidden) return;
      isStale.current = false;
      void client.invalidateQueries({ queryKey: ['machines', 'map'] });
    }, refreshAfter);
    return () => clearInterval(timer);
  }, [client]);

  return useQuery({
    queryKey: ['machines', 'map', printListQuery({ filter }), viewport],
    queryFn: ({ signal }) => fetchMapContent(filter, viewport as Viewport, signal),
    enabled: viewport !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** A coarse response for all matching machines, to choose the initial view. */
export function useWholeMap(filter: Filter) {
  return useQuery({
    queryKey: ['machines', 'map', 'whole', printListQuery({ filter })],
    queryFn: ({ signal }) => fetchMapContent(filter, { bounds: world, zoom: 2 }, signal),
  });
}

async function fetchMapContent(filter: Filter, { bounds, zoom }: Viewport, signal: AbortSignal): Promise<MapContent> {
  const search = printListQuery({ filter });
  const { data } = await call('GET /machines/map', { query: { bbox: printBounds(bounds), zoom }, search, signal });
  return data;
}
