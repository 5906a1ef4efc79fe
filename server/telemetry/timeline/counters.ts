/** Distance and area between consecutive observations, whatever order they arrive in. Pure. */
import type { Count } from './days';
import { hasMapDistance, mapDistance } from './mapDistance';
import type { CounterMark, MarkValues } from './neighbours';

/**
 * Changes of the daily sums caused by new marks: the step to each new mark, and the difference of the step to its
 * successor. A step counts on the day of its later mark. `marks` must be in order and include the neighbours of every
 * new one.
 */
export function counterSteps(
  machineId: number,
  marks: readonly CounterMark[],
  step: (from: CounterMark, to: CounterMark) => number,
  sum: 'area' | 'distance',
): Count[] {
  const counts: Count[] = [];
  let lastStored: CounterMark | undefined;
  let last: CounterMark | undefined;
  for (const mark of marks) {
    const newStep = last && (mark.isNew || last.isNew) ? step(last, mark) : 0;
    const oldStep = !mark.isNew && last?.isNew && lastStored ? step(lastStored, mark) : 0;
    if (newStep !== oldStep)
      counts.push({ machineId, at: mark.at, area: 0, distance: 0, messages: 0, [sum]: newStep - oldStep });
    last = mark;
    if (!mark.isNew) lastStored = mark;
  }
  return counts;
}

/** Square metres by the device's counter. A counter that restarted from zero has counted its present value. */
export const areaStep = (from: Pick<MarkValues, 'area_total'>, to: Pick<MarkValues, 'area_total'>): number =>
  counterDelta(from.area_total, to.area_total);

/**
 * Metres by the odometer if both marks have one, else on the map of a vehicle, else the straight-line distance. Zero
 * while parked or charging, where positions jitter; on a map the way to a stop still counts.
 */
export function distanceStep(from: MarkValues, to: MarkValues): number {
  if (from.odometer !== null && to.odometer !== null) return counterDelta(from.odometer, to.odometer);
  const seconds = (to.at.getTime() - from.at.getTime()) / 1000;
  const plausibleMetres = (metres: number) => (metres > maxSpeed * Math.max(1, seconds) ? 0 : metres);
  const { straight, driven } = mapDistance(from.attributes, to.attributes);
  if (straight !== undefined || driven !== undefined)
    return Math.max(
      plausibleMetres(driven ?? 0),
      isStanding(from) && isStanding(to) ? 0 : plausibleMetres(straight ?? 0),
    );
  return isStanding(to) ? 0 : plausibleMetres(straightLine(from, to));
}

/** Whether an observation is a mark of a distance; must agree with the SQL of `distanceMarkWhere`. */
export const isDistanceMark = ({ kind, odometer, latitude, attributes }: MarkValues): boolean =>
  odometer !== null || latitude !== null || hasMapDistance({ kind, attributes: attributes ?? {} });

const isStanding = ({ state }: MarkValues) => state === 'Parked' || state === 'Charging';

/** m/s. A faster machine was transported, or its position is wrong. */
const maxSpeed = 15;

function counterDelta(from: number | null, to: number | null): number {
  if (from === null || to === null) return 0;
  return to >= from ? to - from : to;
}

const earthRadius = 6_371_008.8;
const toRadians = (degrees: number) => (degrees * Math.PI) / 180;

/** Metres on the sphere (haversine). */
function straightLine(from: MarkValues, to: MarkValues): number {
  if (from.latitude === null || from.longitude === null || to.latitude === null || to.longitude === null) return 0;
  const north = Math.sin(toRadians(to.latitude - from.latitude) / 2);
  const east = Math.sin(toRadians(to.longitude - from.longitude) / 2);
  const chord = north ** 2 + Math.cos(toRadians(from.latitude)) * Math.cos(toRadians(to.latitude)) * east ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(chord)));
}
