/**
 * ThingsBoard device API over HTTP and MQTT: `{"key": value}`, `{"ts": ms, "values": {...}}`, or an array of both.
 * Source: thingsboard.io, "HTTP Device API Reference" and "MQTT Device API Reference".
 *
 * Telemetry determines the state. Attributes describe the machine and do not affect the timeline.
 */
import { InvalidMessage, type Message } from '../timeline/observation';
import { addAttribute } from './addAttribute';
import { keepKeys } from './buildKeyMap';
import { parseOptionalDeviceTime } from './clock';
import { type Attributes, type AttributesInput, interpretAttributes, isTrue } from './interpretAttributes';
import { isObject, type Json, ownProperty, parseJsonBody } from './json';
import { type Measure, parseMeasure } from './measures';
import type { ParsedMessage } from './ParsedMessage';

/** `will`: last will, sent by the broker when the device's connection breaks. */
export const thingsBoardTopics = ['telemetry', 'attributes', 'will'] as const;
export type ThingsBoardTopic = (typeof thingsBoardTopics)[number];

/** Maximum entries per message. */
const maxEntries = 10_000;

/**
 * Parses a message into one observation per timestamp. Pure.
 * @throws InvalidMessage
 */
export function readThingsBoard(body: Uint8Array, topic: ThingsBoardTopic, mapKeys = keepKeys): ParsedMessage[] {
  const json = parseJsonBody(body);
  const entries = (Array.isArray(json) ? json : [json]).map(entryOf);
  if (entries.length > maxEntries) throw new InvalidMessage('Too many entries.');
  if (topic === 'will') return [{ message: connectionLostMessage(entries), body }];
  return mergeByTime(entries).map(({ ts, values }) => ({
    message:
      topic === 'attributes' ? withoutStateKeys(messageOf(ts, mapKeys(values)), topic) : messageOf(ts, mapKeys(values)),
    body: Buffer.from(JSON.stringify(ts === undefined ? values : { ts, values })),
  }));
}

/** The message without state keys, so that it has no effect on the machine's state. */
const withoutStateKeys = ({ own_keys: _, ...message }: Message, kind: string): Message => ({ ...message, kind });

interface Entry {
  ts: unknown;
  values: Json;
}

function entryOf(item: unknown): Entry {
  if (!isObject(item)) throw new InvalidMessage('Not an object.');
  if (!Object.hasOwn(item, 'ts') || !Object.hasOwn(item, 'values')) return { ts: undefined, values: item };
  if (!isObject(item.values)) throw new InvalidMessage('The values are not an object.');
  return { ts: item.ts, values: item.values };
}

/**
 * Merges the values of equal timestamps, however many entries they arrive in. Collects them in maps: copying the values
 * so far for each entry would take 20 s for 10,000 entries.
 */
function mergeByTime(entries: readonly Entry[]): Entry[] {
  const valuesByTime = new Map<unknown, Map<string, unknown>>();
  for (const { ts, values } of entries) {
    const merged = valuesByTime.get(ts) ?? new Map<string, unknown>();
    for (const [name, value] of Object.entries(values)) merged.set(name, value);
    valuesByTime.set(ts, merged);
  }
  return [...valuesByTime].map(([ts, values]) => ({ ts, values: Object.fromEntries(values) }));
}

/** Names under which devices send each measure. */
const namesByMeasure: Readonly<Record<Measure, readonly string[]>> = {
  latitude: ['latitude', 'lat'],
  longitude: ['longitude', 'lon', 'lng'],
  speed: ['speed'],
  heading: ['heading', 'bearing'],
  accuracy: ['accuracy'],
  altitude: ['altitude'],
  battery: ['battery', 'batt'],
};
const measureNames = new Set([...Object.values(namesByMeasure).flat(), 'charge']);

function messageOf(ts: unknown, values: Json): Message {
  const readMeasure = (measure: Measure) =>
    namesByMeasure[measure]
      .map((name) => parseMeasure(measure, ownProperty(values, name)))
      .find((value) => value !== null) ?? null;
  const [latitude, longitude] = [readMeasure('latitude'), readMeasure('longitude')];
  const attributes: Attributes = new Map();
  for (const [name, value] of Object.entries(values))
    if (!measureNames.has(name)) addAttribute(attributes, name, value);
  const input: AttributesInput = {
    at: parseOptionalDeviceTime(ts),
    position: latitude === null || longitude === null ? null : { latitude, longitude },
    speed: readMeasure('speed'),
    heading: readMeasure('heading'),
    accuracy: readMeasure('accuracy'),
    altitude: readMeasure('altitude'),
    battery: readMeasure('battery'),
    charging: Object.hasOwn(values, 'charge') ? isTrue(values.charge) : undefined,
    attributes,
  };
  return interpretAttributes(input);
}

/**
 * A last will was written long before it is sent. So the time of receipt applies, and the state is Offline whatever the
 * will says.
 */
function connectionLostMessage(entries: readonly Entry[]): Message {
  const [first] = entries;
  return {
    ...withoutStateKeys(messageOf(undefined, first?.values ?? {}), 'connection'),
    state: 'Offline',
    reason: 'connection_lost',
    mode: null,
  };
}
