/**
 * JSON form of OsmAnd, as sent by the Traccar Client app: `{location: {timestamp, coords, battery, ...}, device_id}`.
 * Speed in m/s, battery from 0 to 1.
 */
import { InvalidMessage } from '../timeline/observation';
import { addAttribute } from './addAttribute';
import type { MapKeys } from './buildKeyMap';
import { type Attributes, type AttributesInput, interpretAttributes } from './interpretAttributes';
import { parseZonedDateTime } from './javaDouble';
import { isObject, type Json, ownProperty, parseJsonBody } from './json';
import type { OsmAndReport } from './osmAndReport';
import { requireStorable } from './requireStorable';

/** @throws InvalidMessage, with the device if that could be read */
export function readOsmAndJson(body: Uint8Array, mapKeys: MapKeys): OsmAndReport {
  const root = requireObject(parseJsonBody(body));
  const device = requireText(root, 'device_id');
  try {
    return { devices: [device], message: readLocation(requireObjectAt(root, 'location'), mapKeys) };
  } catch (error) {
    if (error instanceof InvalidMessage) throw new InvalidMessage(error.message, device);
    throw error;
  }
}

function readLocation(location: Json, mapKeys: MapKeys): OsmAndReport['message'] {
  const attributes: Attributes = new Map();
  const input: AttributesInput = { at: parseZonedDateTime(requireText(location, 'timestamp')), attributes };
  if ('coords' in location) Object.assign(input, readCoords(requireObjectAt(location, 'coords')));
  for (const name of ['event', 'alarm']) if (name in location) attributes.set(name, requireText(location, name));
  if ('is_moving' in location) input.moving = requireBoolean(location, 'is_moving');
  if ('odometer' in location) attributes.set('odometer', Math.trunc(requireNumber(location, 'odometer')));
  if ('mock' in location) attributes.set('mock', requireBoolean(location, 'mock'));
  if ('activity' in location) attributes.set('activity', requireText(requireObjectAt(location, 'activity'), 'type'));
  if ('battery' in location) Object.assign(input, readBattery(requireObjectAt(location, 'battery')));
  if ('extras' in location) readExtras(mapKeys(requireObjectAt(location, 'extras')), attributes, input);
  return interpretAttributes(input);
}

function readCoords(coords: Json): Partial<AttributesInput> {
  const [latitude, longitude] = [requireNumber(coords, 'latitude'), requireNumber(coords, 'longitude')];
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) throw new InvalidMessage('Coordinates out of range.');
  // The phone sends -1 for unknown values.
  const nonNegative = (name: string) => (requireNumber(coords, name) >= 0 ? requireNumber(coords, name) : null);
  return {
    position: { latitude, longitude },
    speed: nonNegative('speed'),
    heading: nonNegative('heading'),
    accuracy: nonNegative('accuracy'),
    altitude: requireNumber(coords, 'altitude'),
  };
}

function readBattery(battery: Json): Partial<AttributesInput> {
  const level = requireNumber(battery, 'level');
  return { battery: level >= 0 ? Math.round(level * 100) : null, charging: requireBoolean(battery, 'is_charging') };
}

function readExtras(extras: Json, attributes: Attributes, input: AttributesInput): void {
  for (const [key, value] of Object.entries(extras)) {
    if (key === 'alarm' && attributes.has('alarm')) continue;
    if (key === 'charge' && value === true) input.charging = true;
    else addAttribute(attributes, key, value);
  }
}

function requireObject(value: unknown): Json {
  if (!isObject(value)) throw new InvalidMessage('Not an object.');
  return value;
}

const requireObjectAt = (from: Json, name: string) => requireObject(ownProperty(from, name));

function requireText(from: Json, name: string): string {
  const value = ownProperty(from, name);
  if (typeof value !== 'string') throw new InvalidMessage(`${name} is not a text.`);
  return requireStorable(value);
}

function requireNumber(from: Json, name: string): number {
  const value = ownProperty(from, name);
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new InvalidMessage(`${name} is not a number.`);
  return value;
}

function requireBoolean(from: Json, name: string): boolean {
  const value = ownProperty(from, name);
  if (typeof value !== 'boolean') throw new InvalidMessage(`${name} is neither true nor false.`);
  return value;
}
