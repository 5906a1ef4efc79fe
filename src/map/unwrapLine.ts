/** Prepares shapes on a globe for a flat map. */

type Position = number[];

/**
 * Continues longitudes beyond 180 degrees instead of jumping to the other edge of the map. Closes a ring around a pole
 * along the edge.
 */
export function unwrapLine(line: readonly Position[]): Position[] {
  let turn = 0;
  let previous: number | undefined;
  const points = line.map(([longitude = 0, latitude = 0]) => {
    if (previous !== undefined && Math.abs(longitude - previous) > 180) turn += longitude < previous ? 360 : -360;
    previous = longitude;
    return [longitude + turn, latitude];
  });
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || Math.abs((first[0] as number) - (last[0] as number)) < 180) return points;
  const pole = (first[1] as number) < 0 ? -90 : 90;
  return [...points, [last[0] as number, pole], [first[0] as number, pole]];
}

/** The shape, and a copy on the other side of the map if it crosses the edge. */
export function repeatAcrossEdge<L extends readonly Position[]>(lines: readonly L[]): Position[][][] {
  const unwrapped = lines.map(unwrapLine);
  const longitudes = unwrapped.flat().map(([longitude]) => longitude as number);
  const [west, east] = longitudes.reduce(
    ([low, high], longitude) => [Math.min(low, longitude), Math.max(high, longitude)],
    [180, -180],
  );
  const offset = east > 180.001 ? -360 : west < -180.001 ? 360 : 0;
  return offset === 0
    ? [unwrapped]
    : [unwrapped, unwrapped.map((line) => line.map(([longitude = 0, latitude = 0]) => [longitude + offset, latitude]))];
}
