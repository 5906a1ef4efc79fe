/** Measured values and their valid ranges. Units as in `Message`. */

export interface Range {
  min: number;
  max: number;
  /** -1 means unknown. */
  minusOne?: boolean;
}

export const measures = {
  latitude: { min: -90, max: 90 },
  longitude: { min: -180, max: 180 },
  speed: { min: 0, max: 100, minusOne: true },
  heading: { min: 0, max: 360, minusOne: true },
  accuracy: { min: 0, max: 1_000_000, minusOne: true },
  altitude: { min: -1000, max: 20_000 },
  battery: { min: 0, max: 100, minusOne: true },
} as const satisfies Readonly<Record<string, Range>>;

export type Measure = keyof typeof measures;

/** Parses a number or numeric text; values out of range count as unknown. */
export function parseMeasure(measure: Measure, value: unknown): number | null {
  const { min, max } = measures[measure];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= min && number <= max ? number : null;
}
