/**
 * ThingsBoard's gateway API: one connection sends for many devices, each by its name. A gateway may send for trackers
 * whose `gateway_id` it is; if both are on machines, these must belong to the same client. Unknown names appear as
 * unassigned trackers of the gateway; messages for trackers of others are dropped.
 */
import type { Services } from '../../context/services';
import { isObject, type Json, ownProperty, parseJsonBody } from '../adapters/json';
import { isStorable } from '../adapters/requireStorable';
import type { AssignReceiptTime } from '../ingest/createReceiptTimes';
import { findGatewayDevices } from '../ingest/findGatewayDevices';
import { printPayload, type Receive, UnassignedTracker } from '../ingest/receive';
import { recordUnknownDevice, type Sender } from '../ingest/senders';
import type { StoreRefused } from '../ingest/storeRefused';
import { InvalidMessage } from '../timeline/observation';
import type { GatewayTopic } from './topics';

interface GatewayMessage {
  gateway: Sender;
  topic: GatewayTopic;
  body: Uint8Array;
}

/** Resolves when all messages in it are committed. Throws `InvalidMessage` if it cannot be read as a whole. */
export type ReceiveFromGateway = (message: GatewayMessage) => Promise<void>;

interface GatewayTools {
  receive: Receive;
  assignReceiptTime: AssignReceiptTime;
  storeRefused: StoreRefused;
}

export function createGatewayReceiver(services: Services, tools: GatewayTools): ReceiveFromGateway {
  const { db, log, now } = services;

  return async ({ gateway, topic, body }) => {
    const json = parseJsonBody(body);
    if (!isObject(json)) throw new InvalidMessage('Not an object.');
    const messages = parseDeviceMessages(topic, json);
    const devices = await findGatewayDevices(db, gateway.trackerId, [...messages.keys()]);
    for (const [device, value] of messages) {
      const sender = devices.get(device);
      const devicePayload = Buffer.from(JSON.stringify(value ?? {}));
      if (sender === 'foreign')
        log.info({ device, gateway: gateway.names[0] }, 'a gateway sent for a device that is not its own');
      else if (!sender)
        await recordUnknownDevice(services, {
          device,
          protocol: 'thingsboard',
          payload: printPayload(devicePayload),
          position: null,
          gatewayId: gateway.trackerId,
        });
      else if (topic === 'telemetry' || topic === 'attributes')
        await receiveDeviceMessage(sender, topic, devicePayload);
    }
  };

  async function receiveDeviceMessage(sender: Sender, topic: 'telemetry' | 'attributes', body: Buffer): Promise<void> {
    const receivedAt = tools.assignReceiptTime(sender.names[0] as string, now());
    const receivedMessage = { sender, protocol: 'thingsboard', topic, body, receivedAt } as const;
    try {
      await tools.receive(receivedMessage);
    } catch (error) {
      if (error instanceof UnassignedTracker) return;
      if (!(error instanceof InvalidMessage) || sender.machineId === null) throw error;
      // One invalid message must not stop those of the other devices.
      await tools.storeRefused(db, { ...receivedMessage, machineId: sender.machineId });
    }
  }
}

/**
 * Content of a message, by device. `connect` and `disconnect` name one device and do not affect its state. Omits names
 * that cannot be stored, because no device has them.
 */
function parseDeviceMessages(topic: GatewayTopic, json: Json): Map<string, unknown> {
  if (topic === 'telemetry' || topic === 'attributes')
    return new Map(Object.entries(json).filter(([device]) => isStorable(device)));
  const device = ownProperty(json, 'device');
  if (typeof device !== 'string' || !isStorable(device)) throw new InvalidMessage('No device.');
  return new Map([[device, json]]);
}
