/**
 * Derives state, mode and counters from the fields of a message of OsmAnd, OwnTracks, ThingsBoard or our own batches.
 */
import type { Message, Mode, Position } from '../timeline/observation';
import { printStateKeys, type StateKeyValues, stateOfKeys } from '../timeline/stateKeys';
import { truncate } from './requireStorable';

export type Attributes = Map<string, string | number | boolean>;

/** Values that protocols carry in dedicated fields; all others are attributes. */
export interface AttributesInput {
  at: Date | undefined;
  position?: Position | null;
  speed?: number | null;
  heading?: number | null;
  accuracy?: number | null;
  altitude?: number | null;
  battery?: number | null;
  /** `undefined` where the message does not have the key. */
  charging?: boolean | undefined;
  moving?: boolean | undefined;
  attributes: Attributes;
}

const knownKeys = [
  'status',
  'mode',
  'charging',
  'is_moving',
  'motion',
  'battery',
  'batt',
  'odometer',
  'area',
  'area_total',
  'error',
  'message',
];

export function interpretAttributes(input: AttributesInput): Message {
  const { attributes } = input;
  const battery =
    parsePercent(input.battery) ??
    parsePercent(numberAt(attributes, 'battery')) ??
    parsePercent(numberAt(attributes, 'batt'));
  const error = errorOf(attributes);
  const text = attributes.get('message');
  const own_keys = printStateKeys(keysOf(input));
  return {
    at: input.at,
    kind: 'message',
    ...stateOfKeys(own_keys),
    own_keys,
    battery,
    position: input.position ?? null,
    speed: input.speed ?? null,
    heading: input.heading ?? null,
    accuracy: input.accuracy ?? null,
    altitude: input.altitude ?? null,
    odometer: readCounter(attributes, 'odometer'),
    area: readCounter(attributes, 'area'),
    area_total: readCounter(attributes, 'area_total'),
    error,
    message: error === null || text === undefined ? null : truncate(String(text), 1000),
    attributes: Object.fromEntries([...attributes].filter(([key]) => !knownKeys.includes(key))),
  };
}

const statusWords: readonly string[] = ['charging', 'cleaning', 'parked'];

/**
 * State keys of the message. If several keys report charging, the machine charges if any of them says so; if several
 * report motion, it moves only if all of them say so.
 */
function keysOf({ charging, moving, speed, attributes }: AttributesInput): StateKeyValues {
  const [status, mode] = [attributes.get('status'), attributes.get('mode')];
  const word = typeof status === 'string' ? status.toLowerCase() : '';
  const chargingValues = [charging, attributes.has('charging') ? isTrue(attributes.get('charging')) : undefined];
  const movingValues = [
    moving,
    typeof speed === 'number' ? speed > 0 : undefined,
    ...['is_moving', 'motion'].map((name) => attributes.get(name)),
  ].filter((value) => typeof value === 'boolean');
  return {
    status:
      status === undefined ? undefined : statusWords.includes(word) ? (word as StateKeyValues['status']) : 'other',
    charging: chargingValues.includes(true) || (chargingValues.includes(false) ? false : undefined),
    moving: movingValues.length === 0 ? undefined : !movingValues.includes(false),
    mode: mode === undefined ? undefined : modeOf(mode),
  };
}

export const isTrue = (value: unknown) =>
  value === true || value === 1 || (typeof value === 'string' && value.toLowerCase() === 'true');

function modeOf(value: unknown): Mode | null {
  const mode = typeof value === 'string' ? value.toLowerCase() : '';
  return mode === 'robotic' || mode === 'manual' || mode === 'teaching' ? mode : null;
}

/** Values outside 0 to 100 count as unknown. */
function parsePercent(value: number | null | undefined): number | null {
  return value === null || value === undefined || !(value >= 0 && value <= 100) ? null : Math.round(value);
}

function numberAt(attributes: Attributes, key: string): number | null {
  const value = attributes.get(key);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

function readCounter(attributes: Attributes, key: string): number | null {
  const value = numberAt(attributes, key);
  return value === null || value < 0 || value > 1e12 ? null : value;
}

function errorOf(attributes: Attributes): string | null {
  const code = attributes.get('error');
  return code === undefined || code === '' || code === false || code === 0 ? null : truncate(String(code), 120);
}
