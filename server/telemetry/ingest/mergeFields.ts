/**
 * Merges messages of one machine, kind and device time, field by field. Any value takes precedence over none.
 * Of two different values the greater wins, of two battery levels the lower, of two states the one with the higher
 * display precedence. So the result depends on the contents alone, not on the order or number of messages.
 */
import type { DeviceError, Position } from '../timeline/observation';
import { mergeKeys } from '../timeline/stateKeys';
import type { TimelineObservation } from '../timeline/timeline';

const precedence: readonly TimelineObservation['state'][] = ['Online', 'Parked', 'Cleaning', 'Charging', 'Offline'];
const rankOf = (value: unknown) => precedence.indexOf(value as TimelineObservation['state']);

/** Fields that belong together. The first one decides whether the group has a value. */
const fieldGroups = [
  ['state', 'reason'],
  ['error', 'message'],
  ['latitude', 'longitude'],
];

type Fields = Readonly<Record<string, unknown>>;

/** Merges two sets of fields, either of messages or of rows of `observations`. */
export function mergeFields<F extends object>(first: F, second: F): F {
  const [a, b] = [first as Fields, second as Fields];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const groupedNames = new Set(fieldGroups.flat());
  const allGroups = [...fieldGroups, ...names.filter((name) => !groupedNames.has(name)).map((name) => [name])];
  const merged = allGroups.flatMap((fieldGroup) => {
    const [name] = fieldGroup as [string];
    if (name === 'attributes') return [[name, mergeAttributes(a[name], b[name])]];
    if (name === 'own_keys') return [[name, mergeOwnKeys(a[name], b[name])]];
    if (name === 'deviceErrors') return [[name, mergeErrors(a[name], b[name])]];
    const source = compareGroups(fieldGroup, a, b) >= 0 ? a : b;
    return fieldGroup.filter((field) => names.includes(field)).map((field) => [field, source[field]]);
  });
  return Object.fromEntries(merged) as F;
}

function compareGroups(fieldGroup: readonly string[], a: Fields, b: Fields): number {
  // The lower level is the safer one, because alerts watch for low batteries.
  if (fieldGroup[0] === 'battery' && typeof a.battery === 'number' && typeof b.battery === 'number')
    return b.battery - a.battery;
  for (const field of fieldGroup) {
    const difference =
      field === 'state' ? rankOf(a[field]) - rankOf(b[field]) : compareValues(a[field] ?? null, b[field] ?? null);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Compares numbers by size, positions by latitude, then longitude, and anything else by its JSON text. Null comes
 * first.
 */
function compareValues(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (isPosition(a) && isPosition(b)) return a.latitude - b.latitude || a.longitude - b.longitude;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left === right ? 0 : left > right ? 1 : -1;
}

const isPosition = (value: unknown): value is Position =>
  typeof value === 'object' && value !== null && 'latitude' in value;

function mergeAttributes(a: unknown, b: unknown): unknown {
  if (!a || !b) return a ?? b;
  const [left, right] = [a as Fields, b as Fields];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort();
  return Object.fromEntries(
    names.map((name) => [name, compareValues(left[name] ?? null, right[name] ?? null) >= 0 ? left[name] : right[name]]),
  );
}

const mergeOwnKeys = (a: unknown, b: unknown): unknown =>
  typeof a === 'number' && typeof b === 'number' ? mergeKeys(a, b) : (a ?? b);

function mergeErrors(a: unknown, b: unknown): unknown {
  if (!a || !b) return a ?? b;
  const byCode = new Map<string, DeviceError>();
  for (const error of [...(a as DeviceError[]), ...(b as DeviceError[])]) {
    const existing = byCode.get(error.code);
    if (!existing || compareValues(error, existing) > 0) byCode.set(error.code, error);
  }
  return [...byCode.values()];
}
