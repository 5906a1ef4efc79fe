/** Distance and area between consecutive observations, whatever order they arrive in. Pure. */
import type { Count } from './days';
import { hasMapDistance, mapDistance } from './mapDistance';
import type { CounterMark, MarkValues } from './neighbours';

/**
 * Returns the changes that new marks make to daily sums. A step from one mark to the next counts on the day of the
 * later one; a new mark adds the step to it and changes the step to the mark after it. `marks` must be in order and
 * include both neighbours of every new one.
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

/** Square metres by the device's counter. A lower value means that the counter restarted from zero. */
export const areaStep = (from: Pick<MarkValues, 'area_total'>, to: Pick<MarkValues, 'area_total'>): number =>
  counterDelta(from.area_total, to.area_total);

/**
 * Metres by the odometer if both marks have one, else on the vehicle's own map, else in a straight line. A straight
 * line to a parked or charging machine is zero, because positions jitter; on a map, the machine must also have been so
 * at the start.
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
