import { useMemo } from 'react';
import type { Point } from '../../../schema/dsl/polygons';
import type { StateName } from '../../../schema/entities/machines';
import { InterruptionMark } from './InterruptionMark';
import { PlanMachine } from './PlanMachine';
import { PlanPicture } from './PlanPicture';
import { PlanView } from './PlanView';
import type { PlanArea, PlanFloor, PlanZone } from './planPlaces';
import { RunLayer } from './RunLayer';
import { type PathPosition, pathLegs, type RunPath, runPositionAt } from './runPath';

interface Props {
  label: string;
  floor: PlanFloor;
  zones: readonly PlanZone[];
  coverage: { image: string | null; bounds: PlanArea | null };
  path: RunPath;
  /** `at` in milliseconds since the Unix epoch. */
  interruptions: readonly { at: number; text: string }[];
  /** The machine at the current time of the replay. */
  position: PathPosition | undefined;
  onSeek: (moment: number) => void;
}

/** A run on the plan of its floor. Prints as one picture. */
export function RunPlan({ label, floor, zones, coverage, path, interruptions, position, onSeek }: Props) {
  const legs = useMemo(() => pathLegs(path).map((leg) => leg.map(({ x, y }): Point => [x, y])), [path]);
  const points = useMemo(() => legs.flat(), [legs]);
  const marks = interruptions.flatMap((interruption) => {
    const markPosition = runPositionAt(path, interruption.at);
    return markPosition ? [{ ...interruption, x: markPosition.x, y: markPosition.y }] : [];
  });
  return (
    <>
      <PlanView label={label} floor={floor} zones={zones} coverage={coverage} points={points}>
        <RunLayer path={path} />
        {marks.map(({ at, text, x, y }, index) => (
          <InterruptionMark key={`${at} ${text}`} {...{ x, y, text }} number={index + 1} onClick={() => onSeek(at)} />
        ))}
        {position && <PlanMachine {...position} state={position.state as StateName} />}
      </PlanView>
      <PlanPicture {...{ label, floor, zones, coverage, legs }} marks={marks.map(({ x, y }): Point => [x, y])} />
    </>
  );
}
