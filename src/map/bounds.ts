/** Rectangles on the map, as in the API: west, south, east, north in degrees. */
import type { ListQuery } from '../../schema/dsl/listQuery';

export type Bounds = readonly [west: number, south: number, east: number, north: number];

interface MappedItems {
  clusters: readonly { bbox: Bounds }[];
  points: readonly { latitude: number; longitude: number }[];
}

/** Type guard for rows with a position; every row of a rectangle query has one. */
export const hasPosition = <P extends { latitude: number | null; longitude: number | null }>(
  row: P,
): row is P & { latitude: number; longitude: number } => row.latitude !== null && row.longitude !== null;

/** The part of the world that the maps show: Web Mercator ends near 85 degrees of latitude. */
export const world: Bounds = [-180, -85, 180, 85];

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);
const roundDegrees = (value: number) => Number(value.toFixed(5));

/** Prints `w,s,e,n` for the `bbox` parameter; five decimals are about one metre. */
export function printBounds([west, south, east, north]: Bounds): string {
  return [west, south, east, north].map(roundDegrees).join(',');
}

/** Converts the rectangle to range filters of the list dialect, including its edges. */
export function rangesOf([west, south, east, north]: Bounds): ListQuery['filter'] {
  const margin = 1e-6;
  const range = (min: number, max: number) => [`>=${(min - margin).toFixed(6)}`, `<=${(max + margin).toFixed(6)}`];
  return [
    { path: 'latitude', values: range(south, north) },
    { path: 'longitude', values: range(west, east) },
  ];
}

/**
 * Moves a view into the world and clips it: to the whole world if it is wider, and to its western part if it crosses
 * the 180th meridian.
 */
export function clipToWorld([west, south, east, north]: Bounds): Bounds {
  const turns = Math.floor((west + 180) / 360) * 360;
  const [left, right] = east - west >= 360 ? [-180, 180] : [west - turns, east - turns];
  return [
    clamp(left, -180, 180),
    clamp(south, world[1], world[3]),
    clamp(right, -180, 180),
    clamp(north, world[1], world[3]),
  ];
}

/** Bounding box of a response, or `undefined` if nothing has a position. */
export function boundsOf({ clusters, points }: MappedItems): Bounds | undefined {
  const boxes: Bounds[] = [
    ...clusters.map(({ bbox }) => bbox),
    ...points.map(({ latitude, longitude }): Bounds => [longitude, latitude, longitude, latitude]),
  ];
  return boxes.length === 0 ? undefined : boxes.reduce(joinBounds);
}

/** Whether a rectangle is so small (about 10 m) that zooming in would not separate the machines in it. */
export function isTooSmallToZoom([west, south, east, north]: Bounds): boolean {
  return east - west < 1e-4 && north - south < 1e-4;
}

function joinBounds(a: Bounds, b: Bounds): Bounds {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}
