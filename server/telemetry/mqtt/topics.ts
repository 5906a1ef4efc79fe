/** The topics that devices write to, and who may use them. Pure. */
import { type Vda5050Topic, vda5050Topics } from '../adapters/vda5050';

export type Topic =
  | { protocol: 'thingsboard'; name: 'telemetry' | 'attributes' }
  | {
      protocol: 'vda5050';
      name: Vda5050Topic;
      /** The ids that the vehicle may be known by, the fullest first: `ACME/0001`, `0001`. */
      devices: readonly [string, string];
    };

const ofThingsBoard = /^v1\/devices\/me\/(telemetry|attributes)$/;
/** The short names of the same. */
const short: Readonly<Record<string, 'telemetry' | 'attributes'>> = {
  'v2/t': 'telemetry',
  'v2/t/j': 'telemetry',
  'v2/a': 'attributes',
  'v2/a/j': 'attributes',
};
/** Versions and their prefixes: domain, "Telemetry in". */
const ofVehicle = /^(?:uagv\/v2|vda5050\/v3)\/([^/+#]+)\/([^/+#]+)\/(.+)$/;

/** What is to be subscribed to hear every vehicle. */
export const vehicleTopics: readonly string[] = ['uagv/v2', 'vda5050/v3'].flatMap((prefix) =>
  vda5050Topics.map((name) => `${prefix}/+/+/${name}`),
);

/** What a message on a topic is, or `undefined` where no device has anything to say. */
export function topicOf(topic: string): Topic | undefined {
  const name = Object.hasOwn(short, topic)
    ? short[topic]
    : (ofThingsBoard.exec(topic)?.[1] as 'telemetry' | 'attributes' | undefined);
  if (name) return { protocol: 'thingsboard', name };
  const [, manufacturer, serial, last] = ofVehicle.exec(topic) ?? [];
  const known = vda5050Topics.find((one) => one === last);
  return known && { protocol: 'vda5050', name: known, devices: [`${manufacturer}/${serial}`, `${serial}`] };
}

/** Whether a device of these names may write to a topic: each to its own. */
export const mayWrite = (names: readonly string[], topic: Topic): boolean =>
  topic.protocol === 'thingsboard' || topic.devices.some((device) => names.includes(device));

/** What ThingsBoard's client libraries subscribe to by themselves. */
const ofLibraries =
  /^v1\/devices\/me\/(attributes|attributes\/response\/(\+|\d+)|rpc\/request\/(\+|\d+)|rpc\/response\/(\+|\d+))$/;

/** Whether a device of these names may subscribe to a filter: to what is addressed to itself. */
export function mayReadTopics(names: readonly string[], filter: string): boolean {
  if (ofLibraries.test(filter)) return true;
  const [, manufacturer, serial] = ofVehicle.exec(filter) ?? [];
  return serial !== undefined && [`${manufacturer}/${serial}`, serial].some((device) => names.includes(device));
}
