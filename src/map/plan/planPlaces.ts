/** Positions on a floor in metres, x to the right and y upwards, converted for Leaflet's flat map. Pure. */
import type { LatLngTuple } from 'leaflet';
import type { Point } from '../../../schema/dsl/polygons';
import type { zoneKinds } from '../../../schema/entities/zones';

export type ZoneKind = (typeof zoneKinds)[number];

/** The properties of a floor that a plan shows. */
export interface PlanFloor {
  id: number;
  name: string;
  width_m: number | null;
  height_m: number | null;
  /** Size of the uploaded plan as text; null without a plan. */
  plan: string | null;
  /** Changes whenever the plan does. */
  updated_at: string;
}

export interface PlanZone {
  id: number;
  name: string;
  kind: ZoneKind;
  polygon: readonly Point[];
}

/** A rectangle in metres; x and y are its lower left corner. */
export interface PlanArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const toLatLng = ([x, y]: Point): LatLngTuple => [y, x];

/** South-west and north-east corner. */
export const toBounds = ({ x, y, width, height }: PlanArea): [LatLngTuple, LatLngTuple] => [
  [y, x],
  [y + height, x + width],
];

/** Metres to show of a floor without size, zones and points. */
const defaultSide = 20;

/** The area of a floor by its size; without a size, the bounds of zones and points. */
export function areaOf(
  floor: Pick<PlanFloor, 'width_m' | 'height_m'> | undefined,
  zones: readonly Pick<PlanZone, 'polygon'>[] = [],
  points: readonly Point[] = [],
): PlanArea {
  const { width_m: width = null, height_m: height = null } = floor ?? {};
  if (width !== null && height !== null) return { x: 0, y: 0, width, height };
  let [left, low, right, high] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of [...zones.flatMap(({ polygon }) => polygon), ...points]) {
    left = Math.min(left, x);
    low = Math.min(low, y);
    right = Math.max(right, x);
    high = Math.max(high, y);
  }
  if (left > right) return { x: 0, y: 0, width: defaultSide, height: defaultSide };
  return { x: left, y: low, width: Math.max(right - left, 1), height: Math.max(high - low, 1) };
}
