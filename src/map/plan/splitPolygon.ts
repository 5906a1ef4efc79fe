/** Splits a polygon by a line. Pure. */
import { type Point, polygonArea } from '../../../schema/dsl/polygons';

/** Square metres. Smaller pieces are slivers from a line along a side. */
const minArea = 0.01;

/**
 * Pieces on either side of the line through two points, the largest first; `undefined` if the line does not split the
 * polygon.
 */
export function splitPolygon(corners: readonly Point[], from: Point, to: Point): Point[][] | undefined {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  if (length === 0) return undefined;
  const distanceFromLine = ([x, y]: Point) => (dx * (y - from[1]) - dy * (x - from[0])) / length;
  const positionOnLine = ([x, y]: Point) => (dx * (x - from[0]) + dy * (y - from[1])) / length;

  const ring: { point: Point; isCrossing: boolean }[] = corners.flatMap((point, index) => {
    const next = corners[(index + 1) % corners.length] as Point;
    const [height, nextHeight] = [distanceFromLine(point), distanceFromLine(next)];
    const corner = { point, isCrossing: false };
    if (height >= 0 === nextHeight >= 0) return [corner];
    const share = height / (height - nextHeight);
    const crossing: Point = [point[0] + share * (next[0] - point[0]), point[1] + share * (next[1] - point[1])];
    return [corner, { point: crossing, isCrossing: true }];
  });

  // Ordered along the line, intersections alternate: the line enters the polygon at one and leaves it at the next.
  const partners = new Map<number, number>();
  const crossings = [...ring.keys()]
    .filter((index) => ring[index]?.isCrossing)
    .sort((a, b) => positionOnLine(ring[a]?.point as Point) - positionOnLine(ring[b]?.point as Point));
  for (let position = 0; position + 1 < crossings.length; position += 2) {
    const [entry, exit] = crossings.slice(position, position + 2) as [number, number];
    partners.set(entry, exit).set(exit, entry);
  }

  const visited = new Set<number>();
  const pieces: Point[][] = [];
  for (const [start, { isCrossing }] of ring.entries()) {
    if (isCrossing || visited.has(start)) continue;
    const piece: Point[] = [];
    for (let index = start, isFirst = true; isFirst || index !== start; isFirst = false) {
      visited.add(index);
      piece.push(ring[index]?.point as Point);
      const partner = partners.get(index);
      if (partner !== undefined) piece.push(ring[partner]?.point as Point);
      index = ((partner ?? index) + 1) % ring.length;
    }
    const distinct = withoutRepeats(piece.map(([x, y]): Point => [roundMetres(x), roundMetres(y)]));
    if (distinct.length > 2 && polygonArea(distinct) >= minArea) pieces.push(distinct);
  }
  return pieces.length > 1 ? pieces.sort((a, b) => polygonArea(b) - polygonArea(a)) : undefined;
}

/** Rounds to the millimetre. */
export const roundMetres = (metres: number): number => Math.round(metres * 1000) / 1000;

const withoutRepeats = (corners: readonly Point[]): Point[] =>
  corners.filter(([x, y], index) => {
    const [beforeX, beforeY] = corners.at(index - 1) as Point;
    return x !== beforeX || y !== beforeY;
  });
