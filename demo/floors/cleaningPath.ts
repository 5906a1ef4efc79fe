/** Path of a robot over a floor: lanes back and forth, one zone after another. Pure functions. */
import type { Point } from '../../schema/dsl/polygons';
import { applyTransformation, type Transformation } from '../../schema/dsl/transformation';
import type { DemoZone, Rectangle } from './floorShapes';

/** Returns the corners counter-clockwise from the lower left. */
export const cornersOf = ([left, low, right, high]: Rectangle): Point[] => [
  [left, low],
  [right, low],
  [right, high],
  [left, high],
];

/** Distance between two lanes, as a share of the tool's width. */
const laneDistance = 0.92;

export interface CleaningPath {
  corners: readonly Point[];
  /** Metres from the start to each corner. */
  lengths: readonly number[];
  /** Metres to the last corner. */
  length: number;
  /** Metres from the start to the last corner of each zone. */
  zoneEnds: readonly number[];
}

/** A position and heading, in metres on the floor or in the units of a robot's map. */
export interface PathPoint {
  x: number;
  y: number;
  /** Radians, counter-clockwise from the x axis. */
  theta: number;
}

/** Builds the path. Each zone begins at the corner that is closest to the end of the previous one. */
export function cleaningPath(zones: readonly DemoZone[], width: number, start: Point): CleaningPath {
  const corners: Point[] = [start];
  const lastCorners = zones.map((zone) => {
    corners.push(...lanesFrom(zone, width, corners.at(-1) as Point));
    return corners.length - 1;
  });
  const lengths = [0];
  corners.slice(1).forEach(([x, y], index) => {
    const [fromX, fromY] = corners[index] as Point;
    lengths.push((lengths[index] as number) + Math.hypot(x - fromX, y - fromY));
  });
  const zoneEnds = lastCorners.map((corner) => lengths[corner] as number);
  return { corners, lengths, length: lengths.at(-1) as number, zoneEnds };
}

function lanesFrom({ at: [left, low, right, high], lanes }: DemoZone, width: number, from: Point): Point[] {
  const isAlongY = lanes === 'y' || (lanes === undefined && high - low > right - left);
  const [start, end, first, last] = isAlongY ? [low, high, left, right] : [left, right, low, high];
  const halfWidth = width / 2;
  // An even number, so that a zone ends on the side where it began: the way to the next zone then follows the ends of
  // the shelves.
  const count = 2 * Math.ceil((last - first - width * (1 - laneDistance)) / (2 * width * laneDistance));
  const lanePositions = Array.from(
    { length: count },
    (_, nth) => first + halfWidth + ((last - first - width) * nth) / (count - 1),
  );
  const [along, across] = isAlongY ? [from[1], from[0]] : from;
  if (Math.abs(across - last) < Math.abs(across - first)) lanePositions.reverse();
  const laneEnds = [start + halfWidth, end - halfWidth];
  if (Math.abs(along - end) < Math.abs(along - start)) laneEnds.reverse();
  return lanePositions.flatMap((lanePosition, nth) => {
    const [near, far] = nth % 2 === 0 ? laneEnds : laneEnds.toReversed();
    return [near as number, far as number].map((to): Point => (isAlongY ? [lanePosition, to] : [to, lanePosition]));
  });
}

/** Returns the position after some metres. At either end of the path, the robot turns and drives back along it. */
export function pointOnPath({ corners, lengths, length }: CleaningPath, metres: number): PathPoint {
  const turns = Math.floor(metres / length);
  const isReturning = turns % 2 === 1;
  const distanceAlong = isReturning ? length - (metres - turns * length) : metres - turns * length;
  const next = lengths.findIndex((to) => to > distanceAlong);
  const index = next === -1 ? lengths.length - 1 : next;
  const [from, to] = [corners[index - 1] as Point, corners[index] as Point];
  const [before, after] = [lengths[index - 1] as number, lengths[index] as number];
  const share = after === before ? 0 : (distanceAlong - before) / (after - before);
  const theta = Math.atan2(to[1] - from[1], to[0] - from[0]) + (isReturning ? Math.PI : 0);
  return { x: from[0] + (to[0] - from[0]) * share, y: from[1] + (to[1] - from[1]) * share, theta };
}

/** Converts a point to the coordinates of the robot's own map. */
export function pointOnMap({ x, y, theta }: PathPoint, map: Required<Transformation>): PathPoint {
  const turn = (map.rotation * Math.PI) / 180;
  const [mapX, mapY] = applyTransformation({ rotation: -map.rotation, scale: 1 / map.scale }, [x - map.x, y - map.y]);
  const heading = theta - turn;
  return map.mirrored ? { x: mapX, y: -mapY, theta: -heading } : { x: mapX, y: mapY, theta: heading };
}
