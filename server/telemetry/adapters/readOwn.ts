/**
 * The product's own batch format: observations as a JSON array, a single object, or one object per line.
 *
 * Units: degrees WGS 84, m/s, degrees clockwise from north, metres, percent, m²; -1 means unknown where values cannot
 * be negative.
 */
import type { Problem } from '../../../schema/dsl/checks';
import { isStorable } from '../../../schema/dsl/isStorable';
import { InvalidMessage, type Message } from '../timeline/observation';
import { addAttribute } from './addAttribute';
import { keepKeys } from './buildKeyMap';
import { parseDeviceTime } from './clock';
import { type Attributes, interpretAttributes } from './interpretAttributes';
import { decodeUtf8, isObject, type Json, parseJson, requireShape } from './json';
import { measures, type Range } from './measures';

/** A parsed observation, or its problems by field. */
export type OwnReport = { message: Message } | { problems: [field: string, problem: Problem][] };

/**
 * Observations of a body.
 * @throws InvalidMessage for invalid JSON, too deep nesting or too many keys
 */
export function parseItems(body: Buffer): unknown[] {
  requireShape(body);
  return parseLines(body);
}

function parseLines(body: Buffer): unknown[] {
  const text = decodeUtf8(body);
  const parsed = parseJson(text);
  if (parsed !== undefined) return Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const item = parseJson(line);
      if (!item) throw new InvalidMessage('A line is not JSON.');
      return item.value;
    });
}

/** The observation in an item; `undefined` if the item holds only a run and its time. */
export function withoutRun(item: unknown): unknown {
  if (!isObject(item) || !isObject(item.run)) return item;
  const { run: _, ...observation } = item;
  return Object.keys(observation).some((name) => name !== 'at') ? observation : undefined;
}

/** Parses one observation. */
export function readOwn(item: unknown, mapKeys = keepKeys): OwnReport {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return { problems: [['', { key: 'object' }]] };
  const problems: [string, Problem][] = [];
  const fields = mapKeys(item as Json);
  const deviceTime = readTime(fields.at, () => problems.push(['at', { key: 'instant' }]));
  const numbers = Object.fromEntries(
    Object.entries(measures).map(([name, range]) => [
      name,
      readMeasure(fields[name], range, (problem) => problems.push([name, problem])),
    ]),
  );
  const [latitude, longitude] = [numbers.latitude ?? null, numbers.longitude ?? null];
  if ((latitude === null) !== (longitude === null) && problems.length === 0)
    problems.push([latitude === null ? 'latitude' : 'longitude', { key: 'required' }]);
  const attributes: Attributes = new Map();
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'at' || Object.hasOwn(measures, name)) continue;
    if (name === 'floor' && isObject(value)) {
      problems.push(...addFloorPosition(attributes, value));
      continue;
    }
    try {
      addAttribute(attributes, name, value);
    } catch {
      problems.push([name.slice(0, 60).replaceAll('\0', ''), { key: 'control_characters' }]);
    }
  }
  if (problems.length > 0) return { problems };
  const { speed, heading, accuracy, altitude, battery } = numbers;
  const position = latitude === null || longitude === null ? null : { latitude, longitude };
  return {
    message: interpretAttributes({
      at: deviceTime,
      position,
      speed,
      heading,
      accuracy,
      altitude,
      battery,
      charging: typeof fields.charge === 'boolean' ? fields.charge : undefined,
      attributes,
    }),
  };
}

/** Texts of a position on a floor, with their maximum lengths. */
const floorWords = { map_id: 200 } as const;
/** Numbers of a position on a floor, and whether they are required. */
const floorNumbers = { x: true, y: true, theta: false } as const;

/**
 * Adds a position on a robot's own map as attributes such as `floor.x`. It is stored as sent, because the map may be
 * linked to a floor later. Returns problems by field.
 */
function addFloorPosition(attributes: Attributes, position: Json): [field: string, problem: Problem][] {
  const problems: [string, Problem][] = [];
  for (const [name, max] of Object.entries(floorWords)) {
    const value = position[name];
    if (typeof value !== 'string' || value === '') problems.push([`floor.${name}`, { key: 'required' }]);
    else if (value.length > max) problems.push([`floor.${name}`, { key: 'max_length', values: { max } }]);
    else if (!isStorable(value)) problems.push([`floor.${name}`, { key: 'control_characters' }]);
    else addAttribute(attributes, `floor.${name}`, value);
  }
  for (const [name, isRequired] of Object.entries(floorNumbers)) {
    const value = position[name] ?? null;
    if (value === null && !isRequired) continue;
    if (typeof value !== 'number' || !Number.isFinite(value)) problems.push([`floor.${name}`, { key: 'number' }]);
    else addAttribute(attributes, `floor.${name}`, value);
  }
  return problems;
}

function readMeasure(
  value: unknown,
  { min, max, isMinusOneUnknown }: Range,
  fail: (problem: Problem) => void,
): number | null {
  if (value === undefined || value === null || (isMinusOneUnknown && value === -1)) return null;
  if (typeof value !== 'number' || !Number.isFinite(value)) fail({ key: 'number' });
  else if (value < min) fail({ key: 'min', values: { min } });
  else if (value > max) fail({ key: 'max', values: { max } });
  else return value;
  return null;
}

/** Device time; `undefined` without one, so that the time of receipt counts. */
function readTime(value: unknown, fail: () => void): Date | undefined {
  if (value === undefined || value === null) return undefined;
  try {
    return parseDeviceTime(value);
  } catch {
    fail();
    return undefined;
  }
}
