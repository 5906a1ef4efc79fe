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
  position: { x: number; y: number; theta: number | null; state: string };
}

/** The current position of a machine on the plan of its floor. */
export function MachinePlan({ label, floor, zones, position }: Props) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a floor without a size the view must not follow the machine
  const points = useMemo((): Point[] => [[position.x, position.y]], [floor.id]);
  return (
    <PlanView label={label} floor={floor} zones={zones} points={points}>
      <PlanMachine {...position} state={position.state as StateName} />
    </PlanView>
  );
}
