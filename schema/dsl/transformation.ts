/** Transforms points of a robot's own map to metres on the floor: mirror, scale, rotate, then shift. Pure. */
import type { Point } from './polygons';

/** A transformation as clients send it. Defaults: no shift, no rotation, scale 1, not mirrored. */
export interface Transformation {
  /** Shift in metres on the floor. */
  x?: number;
  y?: number;
  /** Degrees, counter-clockwise. */
  rotation?: number;
  /** Metres on the floor per unit of the map. */
  scale?: number;
  /** Whether the y axis of the map points in the opposite direction. */
  mirrored?: boolean;
}

/** A map of a robot, with the id that its messages use. */
export interface FloorMap {
  map_id: string;
  transformation?: Transformation | null;
}

/** Returns the point on the floor. */
export function applyTransformation(
  { x = 0, y = 0, rotation = 0, scale = 1, mirrored }: Transformation,
  mapPoint: Point,
): Point {
  const [sin, cos] = [Math.sin((rotation * Math.PI) / 180), Math.cos((rotation * Math.PI) / 180)];
  const [mapX, mapY] = [mapPoint[0] * scale, mapPoint[1] * scale * (mirrored ? -1 : 1)];
  return [x + mapX * cos - mapY * sin, y + mapX * sin + mapY * cos];
}
