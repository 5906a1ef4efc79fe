/** A machine's track: positions, gaps and length. */

export interface TrackPoint {
  /** ISO 8601. */
  at: string;
  latitude: number;
  longitude: number;
}

/**
 * Longest gap in milliseconds for machines without an offline limit. After a longer gap the path between two points is
 * unknown, and no line is drawn.
 */
export const defaultSilence = 10 * 60_000;

/** Splits the track at gaps longer than `silence` milliseconds. */
export function legsOf<P extends TrackPoint>(track: readonly P[], silence = defaultSilence): P[][] {
  const legs: P[][] = [];
  for (const point of track) {
    const leg = legs.at(-1);
    const last = leg?.at(-1);
    if (leg && last && Date.parse(point.at) - Date.parse(last.at) <= silence) leg.push(point);
    else legs.push([point]);
  }
  return legs;
}

/**
 * Position at a time in milliseconds since the Unix epoch: interpolated between two points, or the last known one
 * during a gap; `undefined` for an empty track.
 */
export function trackPositionAt(
  track: readonly TrackPoint[],
  ms: number,
  silence = defaultSilence,
): [latitude: number, longitude: number] | undefined {
  const next = track.findIndex(({ at }) => Date.parse(at) > ms);
  const previous = track[next < 0 ? track.length - 1 : Math.max(next - 1, 0)];
  if (!previous) return undefined;
  const nextPoint = next > 0 ? track[next] : undefined;
  const start = Date.parse(previous.at);
  const length = nextPoint ? Date.parse(nextPoint.at) - start : 0;
  if (!nextPoint || length > silence || length <= 0) return [previous.latitude, previous.longitude];
  const share = (ms - start) / length;
  return [
    previous.latitude + (nextPoint.latitude - previous.latitude) * share,
    previous.longitude + (nextPoint.longitude - previous.longitude) * share,
  ];
}

/** Length of the track in metres; gaps count nothing. */
export function lengthOf(track: readonly TrackPoint[], silence = defaultSilence): number {
  return legsOf(track, silence).reduce(
    (sum, leg) =>
      sum + leg.slice(1).reduce((metres, point, index) => metres + trackMetres(leg[index] as TrackPoint, point), 0),
    0,
  );
}

/** Metres between two points on a sphere of the earth's mean radius (haversine). */
export function trackMetres(a: Omit<TrackPoint, 'at'>, b: Omit<TrackPoint, 'at'>): number {
  const radians = Math.PI / 180;
  const north = Math.sin(((b.latitude - a.latitude) * radians) / 2) ** 2;
  const east = Math.sin(((b.longitude - a.longitude) * radians) / 2) ** 2;
  return (
    2 * 6_371_000 * Math.asin(Math.sqrt(north + Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * east))
  );
}
