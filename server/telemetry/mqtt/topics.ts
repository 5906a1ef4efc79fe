/** Topics that devices publish to, and their access rules. Pure. */
import { type Vda5050Topic, vda5050Topics } from '../adapters/vda5050';

export type Topic =
  | { protocol: 'thingsboard'; name: 'telemetry' | 'attributes' }
  | {
      protocol: 'vda5050';
      name: Vda5050Topic;
      /** Device ids of the vehicle, most specific first: `ACME/0001`, `0001`. */
      devices: readonly [string, string];
    };

const ofThingsBoard = /^v1\/devices\/me\/(telemetry|attributes)$/;
/** ThingsBoard's short topics. */
const short: Readonly<Record<string, 'telemetry' | 'attributes'>> = {
  'v2/t': 'telemetry',
  'v2/t/j': 'telemetry',
  'v2/a': 'attributes',
  'v2/a/j': 'attributes',
};
/** Prefixes per version: domain, "Telemetry in". */
const ofVehicle = /^(?:uagv\/v2|vda5050\/v3)\/([^/+#]+)\/([^/+#]+)\/(.+)$/;

/** Subscriptions that cover every vehicle. */
export const vehicleTopics: readonly string[] = ['uagv/v2', 'vda5050/v3'].flatMap((prefix) =>
  vda5050Topics.map((name) => `${prefix}/+/+/${name}`),
);

/** Parses a topic; `undefined` for one that no device uses. */
export function topicOf(topic: string): Topic | undefined {
  const name = Object.hasOwn(short, topic)
    ? short[topic]
    : (ofThingsBoard.exec(topic)?.[1] as 'telemetry' | 'attributes' | undefined);
  if (name) return { protocol: 'thingsboard', name };
  const [, manufacturer, serial, last] = ofVehicle.exec(topic) ?? [];
  const known = vda5050Topics.find((one) => one === last);
  return known && { protocol: 'vda5050', name: known, devices: [`${manufacturer}/${serial}`, `${serial}`] };
}

/** A device with these ids may publish to the topic: only to its own. */
export const mayWrite = (names: readonly string[], topic: Topic): boolean =>
  topic.protocol === 'thingsboard' || topic.devices.some((device) => names.includes(device));

/** Topics that ThingsBoard's client libraries subscribe to automatically. */
const ofLibraries =
  /^v1\/devices\/me\/(attributes|attributes\/response\/(\+|\d+)|rpc\/request\/(\+|\d+)|rpc\/response\/(\+|\d+))$/;

/** A device with these ids may subscribe to the filter: only to its own topics. */
export function mayReadTopics(names: readonly string[], filter: string): boolean {
  if (ofLibraries.test(filter)) return true;
  const [, manufacturer, serial] = ofVehicle.exec(filter) ?? [];
  return serial !== undefined && [`${manufacturer}/${serial}`, serial].some((device) => names.includes(device));
}
