import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useFloorPlan } from '../../map/plan/useFloorPlan';
import { can } from '../../providers/auth';
import { call } from '../../providers/call';
import { useLive } from '../../providers/useLive';
import { useThrottle } from '../../providers/useThrottle';

/** Minimum milliseconds between two requests for a machine's position, however often it sends messages. */
const pause = 250;

/**
 * The floor and position of a machine, updated with its messages. `isPending` is true until it is known whether the
 * machine is on a floor.
 */
export function useMachineFloor(machineId: number) {
  const client = useQueryClient();
  const queryKey = ['machines', 'floor', machineId];
  const isVisible = can('floors', 'show');
  const position = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      call('GET /machines/{id}/floor', { params: { id: machineId }, signal }).then(({ data }) => data),
    enabled: isVisible,
  });
  const reload = useThrottle(() => void client.invalidateQueries({ queryKey }), pause);
  useLive(`resource/machines/${machineId}`, reload);
  const plan = useFloorPlan(position.data?.floor_id);
  return { floorPosition: position.data, plan: plan.data, isPending: isVisible && position.isPending };
}
