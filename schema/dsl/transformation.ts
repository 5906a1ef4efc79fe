/** From a robot's own map to metres on the floor: mirror, scale, rotate, then shift. Pure. */
import type { Point } from './polygons';

/** As clients write it. Left out: no shift, no rotation, scale 1, not mirrored. */
export interface Transformation {
  /** Metres on the floor. */
  x?: number;
  y?: number;
  /** Degrees, counter-clockwise. */
  rotation?: number;
  /** Metres on the floor per unit of the map. */
  scale?: number;
  /** The map's y axis points the other way. */
  mirrored?: boolean;
}

/** A map of a robot, as its messages name it. */
export interface FloorMap {
  map_id: string;
  transformation?: Transformation | null;
}

/** The point on the floor. */
export function applyTransformation(
  { x = 0, y = 0, rotation = 0, scale = 1, mirrored }: Transformation,
  at: Point,
): Point {
  const [sin, cos] = [Math.sin((rotation * Math.PI) / 180), Math.cos((rotation * Math.PI) / 180)];
  const [mapX, mapY] = [at[0] * scale, at[1] * scale * (mirrored ? -1 : 1)];
  return [x + mapX * cos - mapY * sin, y + mapX * sin + mapY * cos];
}
