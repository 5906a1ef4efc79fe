/** Measured values and their valid ranges. Units as in `Message`. */

export interface Range {
  min: number;
  max: number;
  /** Whether -1 stands for an unknown value. */
  isMinusOneUnknown?: boolean;
}

export const measures = {
  latitude: { min: -90, max: 90 },
  longitude: { min: -180, max: 180 },
  speed: { min: 0, max: 100, isMinusOneUnknown: true },
  heading: { min: 0, max: 360, isMinusOneUnknown: true },
  accuracy: { min: 0, max: 1_000_000, isMinusOneUnknown: true },
  altitude: { min: -1000, max: 20_000 },
  battery: { min: 0, max: 100, isMinusOneUnknown: true },
} as const satisfies Readonly<Record<string, Range>>;

export type Measure = keyof typeof measures;

/** Parses a number or numeric text; values out of range count as unknown. */
export function parseMeasure(measure: Measure, value: unknown): number | null {
  const { min, max } = measures[measure];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= min && number <= max ? number : null;
}
