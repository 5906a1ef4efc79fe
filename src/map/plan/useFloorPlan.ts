import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Point } from '../../../schema/dsl/polygons';
import { can } from '../../providers/auth';
import { fetchRow, fetchRows } from '../../providers/rows';
import { useLive } from '../../providers/useLive';
import type { PlanFloor, PlanZone } from './planPlaces';

const maxZones = 1000;

/** Query of a floor and its zones, updated live. Disabled without an id, and if the user may not see the floor. */
export function useFloorPlan(floorId: number | null | undefined) {
  const client = useQueryClient();
  const isVisible = floorId !== null && floorId !== undefined && can('floors', 'show');
  const query = useQuery({
    queryKey: ['floors', 'with_zones', floorId],
    queryFn: async ({ signal }): Promise<{ floor: PlanFloor; zones: PlanZone[] }> => {
      const [floor, zones] = await Promise.all([
        fetchRow('floors', floorId as number, {
          fields: ['id', 'name', 'width_m', 'height_m', 'plan', 'updated_at'],
          signal,
        }),
        can('zones', 'list')
          ? fetchRows('zones', {
              fields: ['id', 'name', 'kind', 'polygon'],
              filter: [{ path: 'floor_id', values: [String(floorId)] }],
              per_page: maxZones,
              signal,
            })
          : { data: [] },
      ]);
      return {
        floor: floor.data,
        zones: zones.data.map((zone) => ({ ...zone, polygon: zone.polygon as readonly Point[] })),
      };
    },
    enabled: isVisible,
  });
  const reload = () => void client.invalidateQueries({ queryKey: ['floors', 'with_zones', floorId] });
  useLive(`resource/floors/${floorId}`, reload);
  useLive('resource/zones', reload);
  return query;
}
