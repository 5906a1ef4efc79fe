/** Pairs of points that link a robot map to a floor. Pure. */
import type { PointPair } from '../../../schema/dsl/fitTransformation';
import type { Point } from '../../../schema/dsl/polygons';
import { applyTransformation, type Transformation } from '../../../schema/dsl/transformation';
import type { PlanArea } from '../../map/plan/planPlaces';

/** The point of the path nearest to `at`. */
export function nearestPoint(path: readonly Point[], [x, y]: Point): Point | undefined {
  let nearest: Point | undefined;
  let leastDistance = Infinity;
  for (const point of path) {
    const distance = Math.hypot(point[0] - x, point[1] - y);
    if (distance < leastDistance) [nearest, leastDistance] = [point, distance];
  }
  return nearest;
}

/**
 * Two initial pairs, at the leftmost and rightmost ends of the path. Their points on the floor follow from the current
 * transformation; without one, they are side by side.
 */
export function firstPairs(path: readonly Point[], area: PlanArea, current: Transformation | undefined): PointPair[] {
  const sortedPoints = [...path].sort((a, b) => a[0] - b[0]);
  const endPoints = [sortedPoints[0] ?? [0, 0], sortedPoints.at(-1) ?? [1, 0]] as const;
  return endPoints.map((map, index) => ({
    map,
    floor: current
      ? applyTransformation(current, map)
      : [area.x + area.width * (index === 0 ? 0.25 : 0.75), area.y + area.height / 2],
  }));
}

/** A further pair in the middle of the path and of the floor. */
export const nextPair = (path: readonly Point[], area: PlanArea): PointPair => ({
  map: path[Math.floor(path.length / 2)] ?? [0, 1],
  floor: [area.x + area.width / 2, area.y + area.height * 0.75],
});
