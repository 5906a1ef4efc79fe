/**
 * Describes how to read a vendor's messages: where they contain runs and machine states, and which of our fields each
 * value fills. Plain data, so that users can edit mappings and presets can be declared.
 */
import { hasOnlyKeys, isObject } from './isObject';
import { isTimeZone } from './isTimeZone';
import { parsePath, pathLimits } from './jsonPath';

/** Kinds of values with the units that each may have. */
export const targetUnits = {
  text: [],
  word: [],
  boolean: [],
  number: [],
  list: [],
  /**
   * Unit of a number that counts from 1970; if absent, the magnitude decides. The unit of a text without an offset may
   * be the name of a time zone.
   */
  instant: ['unix_s', 'unix_ms'],
  area: ['m2', 'ft2'],
  volume: ['l', 'ml', 'gal'],
  energy: ['Wh', 'kWh'],
  distance: ['m', 'km', 'ft', 'mi'],
  duration: ['s', 'ms', 'min', 'h'],
  speed: ['m/s', 'km/h'],
  percent: ['percent', 'share'],
  shares: ['percent', 'share'],
} as const satisfies Record<string, readonly string[]>;
export type TargetKind = keyof typeof targetUnits;

/**
 * Fields of a run. `reported_at` decides which of two versions of a report is newer. `outcome_raw` and `mode_raw` are
 * derived from `outcome` and `mode`.
 */
export const runTargets = {
  external_id: 'text',
  started_at: 'instant',
  ended_at: 'instant',
  reported_at: 'instant',
  outcome: 'word',
  mode: 'word',
  task_name: 'text',
  task_id: 'text',
  planned_area_m2: 'area',
  cleaned_area_m2: 'area',
  duration_s: 'duration',
  distance_m: 'distance',
  water_l: 'volume',
  energy_wh: 'energy',
  battery_start: 'percent',
  battery_end: 'percent',
  operator: 'text',
  interruptions: 'list',
  consumables: 'shares',
} as const satisfies Record<string, TargetKind>;

/** Fields of an interruption; paths are relative to it. */
export const interruptionTargets = { at: 'instant', reason: 'text', resolved_at: 'instant' } as const satisfies Record<
  string,
  TargetKind
>;

/** State of a machine at a moment, with the names that observations use. */
export const stateTargets = {
  at: 'instant',
  status: 'word',
  mode: 'word',
  charging: 'boolean',
  is_moving: 'boolean',
  battery: 'percent',
  speed: 'speed',
  heading: 'number',
  latitude: 'number',
  longitude: 'number',
  odometer: 'distance',
  area_total: 'area',
  error: 'text',
  message: 'text',
} as const satisfies Record<string, TargetKind>;

/** Allowed words by target. `completed_or_partial` becomes `partial` if less than 90 % of the plan was cleaned. */
export const targetWords: Readonly<Record<string, readonly string[] | undefined>> = {
  'runs.outcome': ['completed', 'partial', 'aborted', 'failed', 'completed_or_partial'],
  'states.status': ['cleaning', 'charging', 'parked', 'online'],
  'states.mode': ['robotic', 'manual', 'teaching'],
};

/** Where a value comes from. */
export interface ValueSource {
  /** Paths; the first one with a value applies. */
  path?: string | readonly string[];
  unit?: string;
  /** Maps words of the vendor to ours; `*` matches every other word. Ignores case and leading underscores. */
  words?: Readonly<Record<string, string>>;
  /** Used if there is no path, or if no path has a value. */
  value?: string | number | boolean;
  /** Of a list: sources of the fields of each element, relative to the element. */
  fields?: Readonly<Record<string, SourceText>>;
}
export type SourceText = string | readonly string[] | ValueSource;

/** How to read objects of one kind. */
export interface MappingSection {
  /** Paths of the objects; the first one with any objects applies. Defaults to the whole message. */
  each?: string | readonly string[];
  /** The vendor's serial number of the machine. Objects without one are not stored. */
  machine?: SourceText;
  /** Skips objects for which this is true, such as runs that have not ended. */
  ignored?: SourceText;
  fields: Readonly<Record<string, SourceText>>;
}

export interface MessageMapping {
  runs?: MappingSection;
  states?: MappingSection;
}

export const sectionTargets: Record<keyof MessageMapping, Readonly<Record<string, TargetKind>>> = {
  runs: runTargets,
  states: stateTargets,
};

export const mappingLimits = { paths: 10, words: 100 } as const;

/** Expands the short form: a text or a list of texts stands for the path. */
export const sourceOf = (source: SourceText): ValueSource =>
  typeof source === 'string' || Array.isArray(source) ? { path: source as string } : (source as ValueSource);
export const pathsOf = ({ path = [] }: ValueSource): readonly string[] => [path].flat() as string[];

type Fields = Readonly<Record<string, unknown>>;
const isPath = (value: unknown) => typeof value === 'string' && parsePath(value) !== undefined;
const arePaths = (value: unknown) =>
  isPath(value) || (Array.isArray(value) && value.length <= mappingLimits.paths && value.every(isPath));

/**
 * Returns the path of the first invalid element of a mapping, such as `runs.fields.water_l`; `undefined` if all are
 * valid.
 */
export function findMappingFault(mapping: unknown): string | undefined {
  if (!isObject(mapping)) return 'mapping';
  const unknownName = Object.keys(mapping).find((name) => !Object.hasOwn(sectionTargets, name));
  if (unknownName !== undefined) return unknownName;
  return Object.entries(mapping)
    .map(([name, section]) => sectionFault(name as keyof MessageMapping, section))
    .find((fault) => fault !== undefined);
}

function sectionFault(name: keyof MessageMapping, section: unknown): string | undefined {
  if (!isObject(section) || !hasOnlyKeys(section, ['each', 'machine', 'ignored', 'fields'])) return name;
  if (section.each !== undefined && !arePaths(section.each)) return `${name}.each`;
  if (section.machine !== undefined && !isSource(section.machine, 'text')) return `${name}.machine`;
  if (section.ignored !== undefined && !isSource(section.ignored, 'boolean')) return `${name}.ignored`;
  const { fields } = section;
  if (!isObject(fields)) return `${name}.fields`;
  const targets = sectionTargets[name];
  const invalidField = Object.keys(fields).find((field) => {
    const kind = Object.hasOwn(targets, field) ? targets[field] : undefined;
    return !kind || !isSource(fields[field], kind, targetWords[`${name}.${field}`]);
  });
  return invalidField === undefined ? undefined : `${name}.fields.${invalidField}`;
}

function isSource(source: unknown, kind: TargetKind, choices?: readonly string[]): boolean {
  if (!isObject(source)) return kind !== 'list' && arePaths(source);
  const { path, unit, words, value, fields } = source;
  const isUnit = (targetUnits[kind] as readonly unknown[]).includes(unit) || (kind === 'instant' && isZone(unit));
  return (
    hasOnlyKeys(source, ['path', 'unit', 'words', 'value', 'fields']) &&
    (path === undefined ? value !== undefined : arePaths(path)) &&
    (unit === undefined || isUnit) &&
    (words === undefined || areWords(words, choices)) &&
    (value === undefined || isConstant(value, choices)) &&
    (kind === 'list' ? isObject(fields) && areInterruptions(fields) : fields === undefined)
  );
}

const areInterruptions = (fields: Fields): boolean =>
  fields.at !== undefined &&
  Object.entries(fields).every(([name, source]) => {
    const kind = Object.hasOwn(interruptionTargets, name) && interruptionTargets[name as 'at'];
    return kind && isSource(source, kind);
  });

const areWords = (words: unknown, choices: readonly string[] | undefined): boolean =>
  isObject(words) &&
  Object.keys(words).length <= mappingLimits.words &&
  Object.entries(words).every(([vendorWord, word]) => vendorWord.length <= 120 && isConstant(word, choices));

const isConstant = (value: unknown, choices: readonly string[] | undefined): boolean =>
  choices
    ? choices.includes(value as string)
    : ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= 200;

const isZone = (unit: unknown) =>
  typeof unit === 'string' && /^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(unit) && isTimeZone(unit);

const singlePathSchema = { type: 'string', maxLength: pathLimits.characters };
const pathSchema = {
  oneOf: [singlePathSchema, { type: 'array', maxItems: mappingLimits.paths, items: singlePathSchema }],
};
const valueSourceSchema = {
  oneOf: [
    ...pathSchema.oneOf,
    {
      type: 'object',
      properties: {
        path: pathSchema,
        unit: { type: 'string' },
        words: { type: 'object', additionalProperties: { type: 'string' } },
        value: { type: ['string', 'number', 'boolean'] },
        fields: { type: 'object', additionalProperties: true },
      },
      additionalProperties: false,
    },
  ],
};
const sectionSchema = (targets: object) => ({
  type: 'object',
  required: ['fields'],
  properties: {
    each: pathSchema,
    machine: valueSourceSchema,
    ignored: valueSourceSchema,
    fields: {
      type: 'object',
      properties: Object.fromEntries(Object.keys(targets).map((name) => [name, valueSourceSchema])),
      additionalProperties: false,
    },
  },
  additionalProperties: false,
});

/** JSON Schema of a mapping. */
export const mappingSchema = {
  type: 'object',
  description:
    'Where runs and states are in a message, and which of their values become which fields; paths as in JSONPath',
  properties: { runs: sectionSchema(runTargets), states: sectionSchema(stateTargets) },
  additionalProperties: false,
};
