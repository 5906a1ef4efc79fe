/** What devices measure, and which figures of it are possible. Units as in `Message`. */

export interface Range {
  min: number;
  max: number;
  /** -1 says that it is not known. */
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

/** The figure in a value, a number or the text of one; what is impossible is not known. */
export function figureOf(measure: Measure, value: unknown): number | null {
  const { min, max } = measures[measure];
  const figure = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof figure === 'number' && figure >= min && figure <= max ? figure : null;
}
