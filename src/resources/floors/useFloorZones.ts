import { useQuery, useQueryClient } from '@tanstack/react-query';
import { can } from '../../providers/auth';
import { fetchRows } from '../../providers/rows';
import { useLive } from '../../providers/useLive';

const maxZones = 1000;

/** The zones of a floor by name, updated live; none for users who may not list zones. */
export function useFloorZones(floorId: number) {
  const client = useQueryClient();
  useLive('resource/zones', () => void client.invalidateQueries({ queryKey: ['zones', 'of_floor', floorId] }));
  return useQuery({
    queryKey: ['zones', 'of_floor', floorId],
    queryFn: async ({ signal }) =>
      can('zones', 'list')
        ? (
            await fetchRows('zones', {
              fields: ['id', 'version', 'name', 'kind', 'every_days', 'polygon'],
              filter: [{ path: 'floor_id', values: [String(floorId)] }],
              sort: [{ path: 'name', descending: false }],
              per_page: maxZones,
              signal,
            })
          ).data
        : [],
  });
}
