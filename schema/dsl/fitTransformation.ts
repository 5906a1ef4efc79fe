/** Fits the transformation of a robot's map to pairs of points by least squares. Pure. */
import type { Point } from './polygons';
import { applyTransformation, type Transformation } from './transformation';

/** The same place on the map and on the floor. */
export interface PointPair {
  map: Point;
  floor: Point;
}

export interface FittedTransformation {
  transformation: Required<Transformation>;
  /** Residuals in metres on the floor: root mean square and largest. */
  error: { mean: number; largest: number };
}

/** Points closer together than this, on the map or on the floor, do not determine a direction. */
const minSpread = 0.01;

/**
 * Fits a transformation. Two pairs determine shift, rotation and scale; a third is needed to tell whether the map is
 * mirrored. Returns `undefined` if the points coincide.
 */
export function fitTransformation(pairs: readonly PointPair[]): FittedTransformation | undefined {
  const direct = leastSquares(pairs, false);
  const mirrored = pairs.length > 2 ? leastSquares(pairs, true) : undefined;
  // Points on a line fit with and without mirroring; then the map counts as not mirrored.
  if (!direct || (mirrored && mirrored.error.mean < direct.error.mean - 1e-9)) return mirrored;
  return direct;
}

function leastSquares(pairs: readonly PointPair[], isMirrored: boolean): FittedTransformation | undefined {
  const from = pairs.map(({ map: [x, y] }): Point => [x, isMirrored ? -y : y]);
  const to = pairs.map(({ floor }) => floor);
  if (spreadOf(from) < minSpread || spreadOf(to) < minSpread) return undefined;
  const [centreFrom, centreTo] = [centreOf(from), centreOf(to)];
  let [along, across, square] = [0, 0, 0];
  from.forEach(([x, y], index) => {
    const [toX, toY] = to[index] as Point;
    const [a, b, c, d] = [x - centreFrom[0], y - centreFrom[1], toX - centreTo[0], toY - centreTo[1]];
    along += a * c + b * d;
    across += a * d - b * c;
    square += a * a + b * b;
  });
  const scale = Math.hypot(along, across) / square;
  if (!(scale > 1e-6) || !Number.isFinite(scale)) return undefined;
  const rotation = (Math.atan2(across, along) * 180) / Math.PI;
  const rotated = applyTransformation({ rotation, scale }, centreFrom);
  const transformation = {
    x: centreTo[0] - rotated[0],
    y: centreTo[1] - rotated[1],
    rotation,
    scale,
    mirrored: isMirrored,
  };
  const residuals = pairs.map(({ map, floor }) => {
    const [x, y] = applyTransformation(transformation, map);
    return Math.hypot(x - floor[0], y - floor[1]);
  });
  const mean = Math.sqrt(residuals.reduce((sum, metres) => sum + metres * metres, 0) / residuals.length);
  return { transformation, error: { mean, largest: Math.max(...residuals) } };
}

const centreOf = (points: readonly Point[]): Point => {
  const [x, y] = points.reduce(([sumX, sumY], [atX, atY]) => [sumX + atX, sumY + atY], [0, 0]);
  return [x / points.length, y / points.length];
};

/** The largest distance from the centre. */
function spreadOf(points: readonly Point[]): number {
  const [x, y] = centreOf(points);
  return points.reduce((largest, [atX, atY]) => Math.max(largest, Math.hypot(atX - x, atY - y)), 0);
}
