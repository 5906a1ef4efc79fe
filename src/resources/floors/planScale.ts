/** Computes scale and rotation of a plan from points on it. Pure. */
import { fitTransformation } from '../../../schema/dsl/fitTransformation';
import type { Point } from '../../../schema/dsl/polygons';

/** Errors in metres: root mean square of the residuals, and the largest. */
export interface FitError {
  mean: number;
  largest: number;
}

export interface PlanScale {
  /** Metres per pixel. */
  scale: number;
  error: FitError;
}

/** Two points of a plan in pixels, and their distance in metres. */
export interface KnownDistance {
  from: Point;
  to: Point;
  metres: number;
}

/** Least-squares fit to the distances; `undefined` without distances, or if the points of each pair coincide. */
export function fitScale(distances: readonly KnownDistance[]): PlanScale | undefined {
  const pairs = distances.map(({ from, to, metres }) => ({
    pixels: Math.hypot(to[0] - from[0], to[1] - from[1]),
    metres,
  }));
  const sum = (termOf: (pair: (typeof pairs)[number]) => number) =>
    pairs.reduce((total, pair) => total + termOf(pair), 0);
  const scale = sum(({ pixels, metres }) => pixels * metres) / sum(({ pixels }) => pixels * pixels);
  if (!(scale > 0) || !Number.isFinite(scale)) return undefined;
  const residuals = pairs.map(({ pixels, metres }) => Math.abs(pixels * scale - metres));
  const mean = Math.sqrt(residuals.reduce((total, metres) => total + metres * metres, 0) / residuals.length);
  return { scale, error: { mean, largest: Math.max(...residuals) } };
}

export interface GeoPoint {
  latitude: number;
  longitude: number;
}

/** A point of a plan in pixels, x to the right and y upwards, and its geographic position. */
export interface GeoPair {
  plan: Point;
  position: GeoPoint;
}

/**
 * Least-squares fit to the positions. `rotation`: degrees clockwise from north to the top of the plan. `undefined` if
 * points coincide.
 */
export function fitToMap(pairs: readonly GeoPair[]): (PlanScale & { rotation: number; mirrored: boolean }) | undefined {
  const origin = pairs[0]?.position;
  if (!origin) return undefined;
  const fit = fitTransformation(
    pairs.map(({ plan, position }) => ({ map: plan, floor: metresFrom(origin, position) })),
  );
  if (!fit) return undefined;
  const { scale, rotation, mirrored } = fit.transformation;
  return { scale, rotation: -rotation, mirrored, error: fit.error };
}

const metresPerDegree = 111_320;

/** Metres east and north of the origin; accurate to millimetres within a building. */
const metresFrom = (origin: GeoPoint, { latitude, longitude }: GeoPoint): Point => [
  (longitude - origin.longitude) * metresPerDegree * Math.cos((origin.latitude * Math.PI) / 180),
  (latitude - origin.latitude) * metresPerDegree,
];
