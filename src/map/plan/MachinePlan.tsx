import { useMemo } from 'react';
import type { Point } from '../../../schema/dsl/polygons';
import type { StateName } from '../../../schema/entities/machines';
import { PlanMachine } from './PlanMachine';
import { PlanView } from './PlanView';
import type { PlanFloor, PlanZone } from './planPlaces';

interface Props {
  label: string;
  floor: PlanFloor;
  zones: readonly PlanZone[];
  place: { x: number; y: number; theta: number | null; state: string };
}

/** The current position of a machine on the plan of its floor. */
export function MachinePlan({ label, floor, zones, place }: Props) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a floor without a size the view must not follow the machine
  const points = useMemo((): Point[] => [[place.x, place.y]], [floor.id]);
  return (
    <PlanView label={label} floor={floor} zones={zones} points={points}>
      <PlanMachine {...place} state={place.state as StateName} />
    </PlanView>
  );
}
