/**
 * The ThingsBoard device API, over HTTP and MQTT alike: `{"key": value}`, `{"ts": ms, "values": {...}}`, or an array of
 * both. Source: thingsboard.io, "HTTP Device API Reference" and "MQTT Device API Reference".
 *
 * Telemetry says what the machine does. Attributes describe it: they say nothing about its state and leave its timeline
 * alone.
 */
import { InvalidMessage, type Message } from '../timeline/observation';
import { momentOf } from './clock';
import { isObject, type Json, jsonOf, ownOf } from './json';
import { addAttribute } from './keep';
import { type Attributes, isTrue, type MeaningInput, meaningOf } from './meaning';
import { figureOf, type Measure } from './measures';
import type { AdapterInput } from './reading';

/** `will`: what the broker says for a device whose connection has broken. */
export const thingsBoardTopics = ['telemetry', 'attributes', 'will'] as const;
export type ThingsBoardTopic = (typeof thingsBoardTopics)[number];

/** Entries of one message. */
const most = 10_000;

/** What a message says: one reading per time that it names. Pure; throws `Unreadable` and nothing else. */
export function readThingsBoard(body: Uint8Array, topic: ThingsBoardTopic): AdapterInput[] {
  const given = jsonOf(body);
  const entries = (Array.isArray(given) ? given : [given]).map(entryOf);
  if (entries.length > most) throw new InvalidMessage('Too many entries.');
  if (topic === 'will') return [{ message: lost(entries), body }];
  return byTime(entries).map(({ ts, values }) => ({
    message: { ...messageOf(ts, values), kind: topic === 'attributes' ? 'attributes' : 'message' },
    body: Buffer.from(JSON.stringify(ts === undefined ? values : { ts, values })),
  }));
}

interface Entry {
  ts: unknown;
  values: Json;
}

function entryOf(item: unknown): Entry {
  if (!isObject(item)) throw new InvalidMessage('Not an object.');
  if (!Object.hasOwn(item, 'ts') || !Object.hasOwn(item, 'values')) return { ts: undefined, values: item };
  if (!isObject(item.values)) throw new InvalidMessage('Its values are no object.');
  return { ts: item.ts, values: item.values };
}

/** Values of the same time belong together, in however many entries they come. */
function byTime(entries: readonly Entry[]): Entry[] {
  const merged = new Map<unknown, Entry>();
  for (const { ts, values } of entries) merged.set(ts, { ts, values: { ...merged.get(ts)?.values, ...values } });
  return [...merged.values()];
}

/** The names under which devices send what we measure. */
const names: Readonly<Record<Measure, readonly string[]>> = {
  latitude: ['latitude', 'lat'],
  longitude: ['longitude', 'lon', 'lng'],
  speed: ['speed'],
  heading: ['heading', 'bearing'],
  accuracy: ['accuracy'],
  altitude: ['altitude'],
  battery: ['battery', 'batt'],
};
const taken = new Set([...Object.values(names).flat(), 'charge']);

function messageOf(ts: unknown, values: Json): Message {
  const figure = (measure: Measure) =>
    names[measure].map((name) => figureOf(measure, ownOf(values, name))).find((value) => value !== null) ?? null;
  const [latitude, longitude] = [figure('latitude'), figure('longitude')];
  const attributes: Attributes = new Map();
  for (const [name, value] of Object.entries(values)) if (!taken.has(name)) addAttribute(attributes, name, value);
  const told: MeaningInput = {
    at: ts === undefined ? undefined : momentOf(ts),
    position: latitude === null || longitude === null ? null : { latitude, longitude },
    speed: figure('speed'),
    heading: figure('heading'),
    accuracy: figure('accuracy'),
    altitude: figure('altitude'),
    battery: figure('battery'),
    charging: isTrue(ownOf(values, 'charge')),
    attributes,
  };
  return meaningOf(told);
}

/** A last will was written long before it is sent: only that it is sent says something. */
function lost(entries: readonly Entry[]): Message {
  const [first] = entries;
  return {
    ...messageOf(undefined, first?.values ?? {}),
    kind: 'connection',
    state: 'Offline',
    reason: 'connection_lost',
    mode: null,
  };
}
