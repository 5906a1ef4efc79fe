import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { parseRunPath } from '../../map/plan/runPath';
import { useFloorPlan } from '../../map/plan/useFloorPlan';
import { call } from '../../providers/call';
import type { RunRow } from './runRow';

/**
 * Coverage and path of a run, and the floor on which it took place. `error` is the first error of a request without
 * data; a failed reload leaves the data on the page.
 */
export function useRunOnFloor({ id, updated_at: version, floor_id: floorId }: RunRow) {
  const coverage = useQuery({
    queryKey: ['runs', 'coverage', id, version],
    queryFn: ({ signal }) => call('GET /runs/{id}/coverage', { params: { id }, signal }).then(({ data }) => data),
  });
  const positions = useQuery({
    queryKey: ['runs', 'path', id, version],
    queryFn: ({ signal }) => call('GET /runs/{id}/path', { params: { id }, signal }).then(({ data }) => data),
  });
  const floor = useFloorPlan(floorId ?? coverage.data?.floor_id);
  const path = useMemo(() => positions.data && parseRunPath(positions.data), [positions.data]);
  const queries = [coverage, positions, floor];
  return {
    coverage: coverage.data,
    path,
    plan: floor.data,
    error: queries.find(({ data, error }) => error && data === undefined)?.error ?? null,
    retry: () => {
      for (const query of queries) if (query.error) void query.refetch();
    },
  };
}
