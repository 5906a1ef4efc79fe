/**
 * Derives state, mode and counters from the fields of a message (domain: "What the fields mean", column OsmAnd,
 * ThingsBoard, own).
 */
import type { StateName } from '../../../schema/entities/machines';
import type { Message, Mode, Position, Reason } from '../timeline/observation';
import { shortened } from './storable';

export type Attributes = Map<string, string | number | boolean>;

/** Values that protocols carry in dedicated fields; all others are attributes. */
export interface MeaningInput {
  at: Date | undefined;
  position?: Position | null;
  speed?: number | null;
  heading?: number | null;
  accuracy?: number | null;
  altitude?: number | null;
  battery?: number | null;
  charging?: boolean;
  moving?: boolean;
  attributes: Attributes;
}

const understood = [
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

export function meaningOf(input: MeaningInput): Message {
  const { attributes } = input;
  const battery =
    percent(input.battery) ?? percent(numberAt(attributes, 'battery')) ?? percent(numberAt(attributes, 'batt'));
  const error = errorOf(attributes);
  const text = attributes.get('message');
  return {
    at: input.at,
    kind: 'message',
    ...stateOf(input),
    mode: modeOf(attributes.get('mode')),
    battery,
    position: input.position ?? null,
    speed: input.speed ?? null,
    heading: input.heading ?? null,
    accuracy: input.accuracy ?? null,
    altitude: input.altitude ?? null,
    odometer: counter(attributes, 'odometer'),
    area: counter(attributes, 'area'),
    area_total: counter(attributes, 'area_total'),
    error,
    message: error === null || text === undefined ? null : shortened(String(text), 1000),
    attributes: Object.fromEntries([...attributes].filter(([key]) => !understood.includes(key))),
  };
}

const byStatus: Readonly<Record<string, { state: StateName; reason: Reason }>> = {
  charging: { state: 'Charging', reason: 'charging' },
  cleaning: { state: 'Cleaning', reason: 'cleaning' },
  parked: { state: 'Parked', reason: 'parked' },
};

/** Precedence: Charging, Cleaning, Parked, Online. */
function stateOf({ charging, moving, speed, attributes }: MeaningInput): { state: StateName; reason: Reason } {
  const status = attributes.get('status');
  const byStatusWord = typeof status === 'string' ? byStatus[status.toLowerCase()] : undefined;
  if (charging || isTrue(attributes.get('charging'))) return { state: 'Charging', reason: 'charging' };
  if (byStatusWord) return byStatusWord;
  const still =
    speed === 0 || moving === false || attributes.get('is_moving') === false || attributes.get('motion') === false;
  return status === undefined && still
    ? { state: 'Parked', reason: 'no_motion' }
    : { state: 'Online', reason: 'message' };
}

export const isTrue = (value: unknown) =>
  value === true || value === 1 || (typeof value === 'string' && value.toLowerCase() === 'true');

function modeOf(value: unknown): Mode | null {
  const mode = typeof value === 'string' ? value.toLowerCase() : '';
  return mode === 'robotic' || mode === 'manual' || mode === 'teaching' ? mode : null;
}

/** Values outside 0 to 100 count as unknown. */
function percent(value: number | null | undefined): number | null {
  return value === null || value === undefined || !(value >= 0 && value <= 100) ? null : Math.round(value);
}

function numberAt(attributes: Attributes, key: string): number | null {
  const value = attributes.get(key);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

function counter(attributes: Attributes, key: string): number | null {
  const value = numberAt(attributes, key);
  return value === null || value < 0 || value > 1e12 ? null : value;
}

function errorOf(attributes: Attributes): string | null {
  const code = attributes.get('error');
  return code === undefined || code === '' || code === false || code === 0 ? null : shortened(String(code), 120);
}
