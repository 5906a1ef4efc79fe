/** Stores messages of VDA 5050 vehicles from an external broker, whose access control decides who may send them. */
import type { IPublishPacket } from 'mqtt';
import type { Services } from '../../context/services';
import { isDataException } from '../../db/core/faults';
import { createReceiptTimes } from '../ingest/createReceiptTimes';
import { createReceiver, printPayload, UnassignedTracker } from '../ingest/receive';
import { findTracker, recordUnknownDevice } from '../ingest/senders';
import { storeFactsheet } from '../ingest/storeFactsheet';
import { createRefusedStore } from '../ingest/storeRefused';
import { InvalidMessage } from '../timeline/observation';
import { isMessageTopic, parseTopic } from './topics';

/** Resolves after the commit. Throws if the message could not be stored now. */
export type VehicleReader = (packet: IPublishPacket) => Promise<void>;

/**
 * Creates the reader. Messages that cannot be read or stored however often the broker sends them, which would hold back
 * the acknowledgements of all later ones, are stored raw if their machine is known. They count as stored, as those of
 * unknown vehicles do.
 */
export function createVehicleReader(services: Services): VehicleReader {
  const { db, log, now } = services;
  const receive = createReceiver(services);
  const assignReceiptTime = createReceiptTimes();
  const storeRefused = createRefusedStore();
  return async ({ topic, payload, retain }) => {
    const vehicleTopic = parseTopic(topic);
    // Retained messages are from the past, but for a factsheet that does not matter.
    const isFactsheet = vehicleTopic?.name === 'factsheet';
    if (vehicleTopic?.protocol !== 'vda5050' || !(isFactsheet || (isMessageTopic(vehicleTopic) && !retain))) return;
    // Before anything is awaited: messages in flight at once keep the order of their receipt.
    const receivedAt = assignReceiptTime(vehicleTopic.devices[0], now());
    const body = Buffer.from(payload);
    const sender = await findTracker(db, vehicleTopic.devices);
    if (!sender)
      return recordUnknownDevice(services, {
        device: vehicleTopic.devices[0],
        protocol: 'vda5050',
        payload: printPayload(body),
        position: null,
      });
    const message = { sender, protocol: 'vda5050', topic: vehicleTopic.name, body, receivedAt } as const;
    try {
      if (isFactsheet) await storeFactsheet(services, { trackerId: sender.trackerId, body, receivedAt });
      else await receive(message);
    } catch (error) {
      if (!(error instanceof InvalidMessage || error instanceof UnassignedTracker || isDataException(error)))
        throw error;
      const { machineId } = sender;
      if (!isFactsheet && machineId !== null) await storeRefused(db, { ...message, machineId });
      log.info({ err: (error as Error).message, topic }, 'an MQTT message was refused');
    }
  };
}
