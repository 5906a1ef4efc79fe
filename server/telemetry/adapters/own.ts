/**
 * The own batch: observations as JSON, one array of them, one by itself, or one per line (domain: "Telemetry in").
 *
 * Units: degrees WGS 84, m/s, degrees clockwise from north, metres, percent, m²; -1 is "not known" where a value cannot be negative.
 */
import type { Problem } from '../../../schema/dsl/checks';
import { type Message, Unreadable } from '../observation';
import { timestamp } from './java';
import { type Attributes, meaningOf } from './meaning';
import { storable } from './storable';

type Json = Record<string, unknown>;

/** An observation, or what is wrong with it by field. */
export type OwnReport = { message: Message } | { problems: [field: string, problem: Problem][] };

/** The observations of a body. Throws `Unreadable` when it is no JSON. */
export function itemsOf(body: Buffer): unknown[] {
  const text = decoded(body);
  const whole = parsed(text);
  if (whole !== undefined) return Array.isArray(whole.value) ? whole.value : [whole.value];
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const item = parsed(line);
      if (!item) throw new Unreadable('A line is no JSON.');
      return item.value;
    });
}

/** What one observation says. */
export function readOwn(item: unknown): OwnReport {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return { problems: [['', { key: 'object' }]] };
  const problems: [string, Problem][] = [];
  const given = item as Json;
  const at = timeOf(given.at, () => problems.push(['at', { key: 'instant' }]));
  const numbers = Object.fromEntries(
    Object.entries(measures).map(([name, range]) => [name, measureOf(given[name], range, (problem) => problems.push([name, problem]))]),
  );
  const [latitude, longitude] = [numbers.latitude ?? null, numbers.longitude ?? null];
  if ((latitude === null) !== (longitude === null) && problems.length === 0) problems.push([latitude === null ? 'latitude' : 'longitude', { key: 'required' }]);
  const attributes: Attributes = new Map();
  for (const [name, value] of Object.entries(given)) {
    if (name === 'at' || Object.hasOwn(measures, name)) continue;
    try {
      keep(attributes, name, value);
    } catch {
      problems.push([name.slice(0, 60).replaceAll('\0', ''), { key: 'control_characters' }]);
    }
  }
  if (problems.length > 0) return { problems };
  const { speed, heading, accuracy, altitude, battery } = numbers;
  const position = latitude === null || longitude === null ? null : { latitude, longitude };
  return { message: meaningOf({ at, position, speed, heading, accuracy, altitude, battery, charging: given.charge === true, attributes }) };
}

interface Range {
  min: number;
  max: number;
  /** -1 says that it is not known. */
  minusOne?: boolean;
}

const measures: Readonly<Record<string, Range>> = {
  latitude: { min: -90, max: 90 },
  longitude: { min: -180, max: 180 },
  speed: { min: 0, max: 100, minusOne: true },
  heading: { min: 0, max: 360, minusOne: true },
  accuracy: { min: 0, max: 1_000_000, minusOne: true },
  altitude: { min: -1000, max: 20_000 },
  battery: { min: 0, max: 100, minusOne: true },
};

function measureOf(value: unknown, { min, max, minusOne }: Range, fail: (problem: Problem) => void): number | null {
  if (value === undefined || value === null || (minusOne && value === -1)) return null;
  if (typeof value !== 'number' || !Number.isFinite(value)) fail({ key: 'number' });
  else if (value < min) fail({ key: 'min', values: { min } });
  else if (value > max) fail({ key: 'max', values: { max } });
  else return value;
  return null;
}

/** Seconds or milliseconds since 1970, or a time with its offset; without one the time of receipt counts. */
function timeOf(value: unknown, fail: () => void): Date | undefined {
  if (value === undefined || value === null) return undefined;
  try {
    if (typeof value === 'number' && Number.isFinite(value)) return timestamp(String(Math.trunc(value)));
    if (typeof value === 'string') return timestamp(value);
  } catch {
    // Told below, like a value of another kind.
  }
  fail();
  return undefined;
}

/** Plain values are attributes; what is nested stays in the raw message alone. */
function keep(attributes: Attributes, name: string, value: unknown): void {
  if (typeof value === 'string') attributes.set(storable(name), storable(value));
  else if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) attributes.set(storable(name), value);
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function decoded(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new Unreadable('Not UTF-8.');
  }
}
