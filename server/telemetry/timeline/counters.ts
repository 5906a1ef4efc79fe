/** What machines have covered: metres and square metres between two observations, whatever order they come in. Pure. */
import type { Count } from './days';
import type { Mark } from './neighbours';

/**
 * What new marks add to the sums, each on the day of the later of two: the step to a new mark, and what the step to its
 * follower becomes by it.
 * `marks` are in order and hold the neighbours of every new one.
 */
export function stepsOf(
  machineId: number,
  marks: readonly Mark[],
  step: (from: Mark, to: Mark) => number,
  into: 'area' | 'distance',
): Count[] {
  const counts: Count[] = [];
  let lastOld: Mark | undefined;
  let last: Mark | undefined;
  for (const mark of marks) {
    const comes = last && (mark.isNew || last.isNew) ? step(last, mark) : 0;
    const was = !mark.isNew && last?.isNew && lastOld ? step(lastOld, mark) : 0;
    if (comes !== was) counts.push({ machineId, at: mark.at, area: 0, distance: 0, messages: 0, [into]: comes - was });
    last = mark;
    if (!mark.isNew) lastOld = mark;
  }
  return counts;
}

/** Square metres by the device's counter. One that restarts from zero has counted what it shows. */
export const areaStep = (from: Mark, to: Mark): number => counted(from.area_total, to.area_total);

/**
 * Metres by the odometer where both have one, else as the crow flies; a machine that stands does not travel, however
 * its position trembles.
 */
export function distanceStep(from: Mark, to: Mark): number {
  if (from.odometer !== null && to.odometer !== null) return counted(from.odometer, to.odometer);
  if (to.state === 'Parked' || to.state === 'Charging') return 0;
  const metres = straight(from, to);
  const seconds = (to.at.getTime() - from.at.getTime()) / 1000;
  return metres > fastest * Math.max(1, seconds) ? 0 : metres;
}

/** m/s: what goes faster was carried, or its receiver was wrong. */
const fastest = 15;

function counted(from: number | null, to: number | null): number {
  if (from === null || to === null) return 0;
  return to >= from ? to - from : to;
}

const earthRadius = 6_371_008.8;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Metres on the sphere (haversine). */
function straight(from: Mark, to: Mark): number {
  if (from.latitude === null || from.longitude === null || to.latitude === null || to.longitude === null) return 0;
  const north = Math.sin(radians(to.latitude - from.latitude) / 2);
  const east = Math.sin(radians(to.longitude - from.longitude) / 2);
  const chord = north ** 2 + Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * east ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(chord)));
}
