/** Topics that devices publish to, and their access rules. Pure. */
import { type Vda5050Topic, vda5050Topics } from '../adapters/readVda5050';

/** Parts of ThingsBoard's gateway API that are served. */
const gatewayTopics = ['connect', 'disconnect', 'telemetry', 'attributes'] as const;
export type GatewayTopic = (typeof gatewayTopics)[number];

/**
 * `request`: a request of a device; the response goes to `responseTopic`. `other`: below the prefix of a sender, but
 * not used by us; acknowledged and dropped.
 */
export type Topic =
  | MessageTopic
  | { protocol: 'thingsboard'; name: 'other' }
  | { protocol: 'thingsboard'; name: 'request'; requestKind: 'attributes' | 'rpc'; responseTopic: string }
  | { protocol: 'thingsboard'; name: 'gateway'; gatewayTopic: GatewayTopic }
  | (VehicleTopic & { name: 'factsheet' | 'other' });

interface VehicleTopic {
  protocol: 'vda5050';
  /** Device ids of the vehicle, most specific first: `ACME/0001`, `0001`. */
  devices: readonly [string, string];
}

/** A topic whose messages become observations. */
export type MessageTopic =
  | { protocol: 'thingsboard'; name: 'telemetry' | 'attributes' }
  | (VehicleTopic & { name: Vda5050Topic });

const messageNames: readonly string[] = ['telemetry', 'attributes', ...vda5050Topics];
export const isMessageTopic = (topic: Topic): topic is MessageTopic => messageNames.includes(topic.name);

const deviceTopicPattern = /^v1\/devices\/me\/(telemetry|attributes)$/;
/** ThingsBoard's short topics. */
const shortTopics: Readonly<Record<string, 'telemetry' | 'attributes'>> = {
  'v2/t': 'telemetry',
  'v2/t/j': 'telemetry',
  'v2/a': 'attributes',
  'v2/a/j': 'attributes',
};
const requestPatterns = [
  /^(v1\/devices\/me\/(attributes|rpc)\/)request(\/\d+)$/,
  /^(v1\/gateway\/(attributes)\/)request()$/,
  /^(v2\/([ar])\/)req((?:\/j)?\/\d+)$/,
];
const gatewayTopicPattern = new RegExp(`^v1/gateway/(${gatewayTopics.join('|')})$`);
/** Prefixes that stand for the device that is logged in. */
const ownTopicPattern = /^(v1\/devices\/me|v1\/gateway|v2)\/[^+#]+$/;
/** `{interface}/v{major version}/{manufacturer}/{serial number}/{topic}`, as in VDA 5050. */
const vehicleTopicPattern = /^[^/+#$][^/+#]*\/v\d{1,3}\/([^/+#]+)\/([^/+#]+)\/(.+)$/;

const vehicleTopicNames = [...vda5050Topics, 'factsheet'] as const;
/** Subscriptions that cover every vehicle. */
export const vehicleTopics: readonly string[] = vehicleTopicNames.map((name) => `+/+/+/+/${name}`);
/** Topics whose messages contain their own time, so that their order does not matter. */
const sharedNames: readonly string[] = ['state', 'visualization'] satisfies Vda5050Topic[];

/**
 * Subscriptions of a slot. Messages without a time of their own (`connection`) and retained ones (`factsheet`), which
 * brokers do not send to shared subscriptions, all go to slot 1, in order.
 */
export const slotTopics = (slot: number, group: string): readonly string[] =>
  vehicleTopicNames
    .filter((name) => slot === 1 || sharedNames.includes(name))
    .map((name) => (sharedNames.includes(name) ? `$share/${group}/+/+/+/+/${name}` : `+/+/+/+/${name}`));

/** Parses a topic; `undefined` for one that no device uses, or that contains NUL. */
export function parseTopic(topic: string): Topic | undefined {
  if (topic.includes('\0')) return undefined;
  const name = Object.hasOwn(shortTopics, topic)
    ? shortTopics[topic]
    : (deviceTopicPattern.exec(topic)?.[1] as 'telemetry' | 'attributes' | undefined);
  if (name) return { protocol: 'thingsboard', name };
  const gatewayTopic = gatewayTopicPattern.exec(topic)?.[1] as GatewayTopic | undefined;
  if (gatewayTopic) return { protocol: 'thingsboard', name: 'gateway', gatewayTopic };
  return (
    parseRequestTopic(topic) ??
    (ownTopicPattern.test(topic) ? { protocol: 'thingsboard', name: 'other' } : parseVehicleTopic(topic))
  );
}

function parseRequestTopic(topic: string): Topic | undefined {
  const match = requestPatterns.map((pattern) => pattern.exec(topic)).find((groups) => groups !== null);
  if (!match) return undefined;
  const [, prefix = '', kind = '', id = ''] = match;
  return {
    protocol: 'thingsboard',
    name: 'request',
    requestKind: kind.startsWith('a') ? 'attributes' : 'rpc',
    responseTopic: `${prefix}${prefix.startsWith('v2') ? 'res' : 'response'}${id}`,
  };
}

function parseVehicleTopic(topic: string): Topic | undefined {
  const [, manufacturer, serial, topicName] = vehicleTopicPattern.exec(topic) ?? [];
  if (serial === undefined) return undefined;
  const name = vehicleTopicNames.find((vehicleTopic) => vehicleTopic === topicName) ?? 'other';
  return { protocol: 'vda5050', name, devices: [`${manufacturer}/${serial}`, serial] };
}

/** Whether a device with these ids may publish to the topic: it may to its own only. */
export const mayWrite = (names: readonly string[], topic: Topic): boolean =>
  topic.protocol === 'thingsboard' || topic.devices.some((device) => names.includes(device));

/** Topics that ThingsBoard's client libraries subscribe to automatically. */
const libraryTopicPatterns = [
  /^v1\/devices\/me\/(attributes|attributes\/response\/(\+|\d+)|rpc\/request\/(\+|\d+)|rpc\/response\/(\+|\d+))$/,
  /^v1\/gateway\/(attributes|attributes\/response|rpc)$/,
  /^v2\/([ar]|fw\/response|sw\/response)(\/(\+|\w+))*$/,
];

/** Whether a device with these ids may subscribe to the filter: it may to its own topics only. */
export function mayReadTopics(names: readonly string[], filter: string): boolean {
  if (libraryTopicPatterns.some((pattern) => pattern.test(filter))) return true;
  const [, manufacturer, serial] = vehicleTopicPattern.exec(filter) ?? [];
  return serial !== undefined && [`${manufacturer}/${serial}`, serial].some((device) => names.includes(device));
}
