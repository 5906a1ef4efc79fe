import type { RaRecord } from 'ra-core';
import type { Row } from '../../../schema/dsl/entity';
import type { FloorMap } from '../../../schema/dsl/transformation';
import type { floors } from '../../../schema/entities/floors';

/** A floor as its page loads it, including its location. */
export type FloorRecord = Omit<Row<typeof floors>, 'maps'> &
  RaRecord & {
    maps: FloorMap[] | null;
    location?: { latitude: number | null; longitude: number | null; time_zone: string };
  };

/** Size of the plan in pixels, parsed from `1200 × 800 px`. */
export function planSize({ plan }: Pick<FloorRecord, 'plan'>): PlanSize | undefined {
  const [, width, height] = /^(\d+) × (\d+) px$/.exec(plan ?? '') ?? [];
  return width ? { width: Number(width), height: Number(height) } : undefined;
}

/** Pixels. */
export interface PlanSize {
  width: number;
  height: number;
}

/** Length of the longer side while the scale is unknown, in units of the view. */
const unscaledSide = 100;

/** The floor with the proportions of its plan: in metres, or in units of the view while the scale is unknown. */
export function withPlanProportions<F extends Pick<FloorRecord, 'width_m'>>(floor: F, { width, height }: PlanSize) {
  const unitsPerPixel = (floor.width_m ?? (unscaledSide * width) / Math.max(width, height)) / width;
  return { floor: { ...floor, width_m: width * unitsPerPixel, height_m: height * unitsPerPixel }, unit: unitsPerPixel };
}
