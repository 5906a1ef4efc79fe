/** Shapes of values of kind `json`: validation, canonical form and JSON Schema. */
import { isInstant, parseInstant } from './isDay';
import { hasOnlyKeys, isObject } from './isObject';
import { findMappingFault, mappingSchema } from './messageMapping';
import { isSelfCrossing, type Point, polygonArea } from './polygons';

export const shapeNames = ['any', 'interruptions', 'consumables', 'polygon', 'floor_maps', 'mapping'] as const;
export type ShapeName = (typeof shapeNames)[number];

/** Keys of `validation` in the texts. */
export const shapeProblemKeys = [
  'json',
  'interruptions',
  'shares',
  'polygon',
  'polygon_crosses',
  'floor_maps',
  'scale_zero',
  'mapping',
] as const;
type ShapeProblem = { key: (typeof shapeProblemKeys)[number]; values?: Record<string, string | number> };

/** An interruption of a run. `resolved_at` is null until somebody has helped. */
export interface Interruption {
  at: string;
  reason: string | null;
  resolved_at: string | null;
}

export const shapeLimits = {
  /** Characters of the JSON text. */
  text: 100_000,
  /** Levels of nesting, as for the body of a request. */
  depth: 32,
  interruptions: 1000,
  consumables: 50,
  corners: 1000,
  maps: 50,
  words: 200,
  /** Metres from the origin of the floor, in either direction. */
  metres: 100_000,
} as const;

interface Shape {
  problem(value: unknown): ShapeProblem | undefined;
  /** Returns the canonical form; must only be called with valid values. */
  normalize(value: unknown): unknown;
  schema: Record<string, unknown>;
}

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= shapeLimits.words;
/** Whether the value is a number within `shapeLimits.metres`, which also bounds angles and factors. */
const isBoundedNumber = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= shapeLimits.metres;

const momentSchema = { type: 'string', format: 'date-time' };
const asIs = (value: unknown) => value;
/** Prints a valid instant in UTC. */
const isoText = (instant: string): string => (parseInstant(instant) as Date).toISOString();

const interruptions: Shape = {
  problem: (value) =>
    Array.isArray(value) && value.length <= shapeLimits.interruptions && value.every(isInterruption)
      ? undefined
      : { key: 'interruptions', values: { max: shapeLimits.interruptions } },
  normalize: (value) =>
    (value as Interruption[])
      .map(({ at, reason = null, resolved_at = null }) => ({
        at: isoText(at),
        reason,
        resolved_at: resolved_at === null ? null : isoText(resolved_at),
      }))
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at)),
  schema: {
    type: 'array',
    maxItems: shapeLimits.interruptions,
    items: {
      type: 'object',
      required: ['at'],
      properties: {
        at: momentSchema,
        reason: { type: ['string', 'null'], maxLength: shapeLimits.words },
        resolved_at: { ...momentSchema, type: ['string', 'null'], description: 'Null while nobody has helped' },
      },
      additionalProperties: false,
    },
  },
};

function isInterruption(value: unknown): boolean {
  if (!isObject(value) || !hasOnlyKeys(value, ['at', 'reason', 'resolved_at'])) return false;
  const { at, reason = null, resolved_at: until = null } = value;
  return (
    isInstant(at) &&
    (reason === null || reason === '' || isWord(reason)) &&
    (until === null || (isInstant(until) && isoText(until) >= isoText(at)))
  );
}

const isShare = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1;
const consumables: Shape = {
  problem: (value) =>
    isObject(value) &&
    Object.keys(value).length <= shapeLimits.consumables &&
    Object.entries(value).every(([part, share]) => isWord(part) && isShare(share))
      ? undefined
      : { key: 'shares' },
  normalize: asIs,
  schema: {
    type: 'object',
    description: 'Remaining share by part, from 0 to 1',
    additionalProperties: { type: 'number', minimum: 0, maximum: 1 },
  },
};

const isCorner = (value: unknown): value is Point =>
  Array.isArray(value) && value.length === 2 && value.every(isBoundedNumber);
const polygon: Shape = {
  problem: (value) => {
    const corners = Array.isArray(value) && value.length <= shapeLimits.corners + 1 ? openRing(value) : [];
    if (corners.length < 3 || corners.length > shapeLimits.corners || !corners.every(isCorner))
      return { key: 'polygon', values: { max: shapeLimits.corners } };
    return isSelfCrossing(corners) || polygonArea(corners) === 0 ? { key: 'polygon_crosses' } : undefined;
  },
  normalize: (value) => openRing(value as Point[]),
  schema: {
    type: 'array',
    description: 'Corners in metres on the floor; sides must not cross',
    minItems: 3,
    maxItems: shapeLimits.corners + 1,
    items: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'number' } },
  },
};

/** Removes the last corner if it equals the first, since some tools close their rings. */
function openRing<P>(corners: readonly P[]): readonly P[] {
  return corners.length > 3 && JSON.stringify(corners[0]) === JSON.stringify(corners.at(-1))
    ? corners.slice(0, -1)
    : corners;
}

const transformationKeys = ['x', 'y', 'rotation', 'scale', 'mirrored'] as const;
const floorMaps: Shape = {
  problem: (value) => {
    const problem: ShapeProblem = { key: 'floor_maps', values: { max: shapeLimits.maps } };
    if (!Array.isArray(value) || value.length > shapeLimits.maps || !value.every(isObject)) return problem;
    if (!value.every((map) => isWord(map.map_id) && hasOnlyKeys(map, ['map_id', 'transformation']))) return problem;
    if (new Set(value.map(({ map_id }) => map_id)).size < value.length) return problem;
    const transformations = value.flatMap(({ transformation = null }) =>
      transformation === null ? [] : [transformation],
    );
    if (!transformations.every(isObject)) return problem;
    if (transformations.some(({ scale }) => scale === 0)) return { key: 'scale_zero' };
    return transformations.every(isTransformation) ? undefined : problem;
  },
  normalize: asIs,
  schema: {
    type: 'array',
    maxItems: shapeLimits.maps,
    items: {
      type: 'object',
      required: ['map_id'],
      properties: {
        map_id: { type: 'string', maxLength: shapeLimits.words },
        transformation: {
          type: ['object', 'null'],
          description: 'From the map to metres on the floor: mirror y, scale, rotate by degrees, then shift',
          properties: {
            x: { type: 'number' },
            y: { type: 'number' },
            rotation: { type: 'number' },
            scale: { type: 'number', exclusiveMinimum: 0 },
            mirrored: { type: 'boolean' },
          },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  },
};

const isTransformation = (value: Record<string, unknown>): boolean => {
  const { mirrored = false, scale = 1, ...numbers } = value;
  return (
    hasOnlyKeys(value, transformationKeys) &&
    typeof mirrored === 'boolean' &&
    isBoundedNumber(scale) &&
    scale > 0 &&
    Object.values(numbers).every(isBoundedNumber)
  );
};

const mapping: Shape = {
  problem: (value) => {
    const part = findMappingFault(value);
    return part === undefined ? undefined : { key: 'mapping', values: { part } };
  },
  normalize: asIs,
  schema: mappingSchema,
};

export const shapes: Record<ShapeName, Shape> = {
  any: { problem: () => undefined, normalize: asIs, schema: { type: 'object', additionalProperties: true } },
  interruptions,
  consumables,
  polygon,
  floor_maps: floorMaps,
  mapping,
};

/**
 * Parses JSON text, which forms and files send. Returns anything else unchanged, and also text with too many levels:
 * recursive functions would exceed the stack.
 */
export function readJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return isTooDeep(parsed) ? value : parsed;
  } catch {
    return value;
  }
}

function isTooDeep(value: unknown): boolean {
  const isNested = (item: unknown): item is object => typeof item === 'object' && item !== null;
  let level = [value].filter(isNested);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > shapeLimits.depth) return true;
    level = level.flatMap((item) => Object.values(item) as unknown[]).filter(isNested);
  }
  return false;
}

/** Returns the problem of a value of the shape; `undefined` if it is valid. */
export function shapeProblem(shape: ShapeName, input: unknown): ShapeProblem | undefined {
  const value = readJson(input);
  if (typeof value !== 'object' || value === null || JSON.stringify(value).length > shapeLimits.text)
    return { key: 'json', values: { max: shapeLimits.text } };
  return shapes[shape].problem(value);
}

/** Returns the stored form of a valid value, with keys in the order of PostgreSQL's `jsonb`; other values unchanged. */
export function normalizeJson(shape: ShapeName, input: unknown): unknown {
  const value = readJson(input);
  return value === null || shapeProblem(shape, value) ? value : sortKeys(shapes[shape].normalize(value));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => byteLength(a) - byteLength(b) || (a < b ? -1 : 1))
      .map(([name, item]) => [name, sortKeys(item)]),
  );
}
const byteLength = (text: string) => new TextEncoder().encode(text).length;
