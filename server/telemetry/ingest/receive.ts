/** Receives messages of authenticated devices over any transport. */
import type { Services } from '../../context/services';
import { createAdapterSettings, mediaTypeOf, readMessage } from '../adapters/readMessage';
import type { Protocol } from '../timeline/observation';
import { intakeOf } from './intake';
import { recordUnknownDevice, type Sender } from './senders';
import type { Incoming } from './storeMessages';

/** The message is valid, but its tracker is unassigned. The message is not stored; the tracker is marked as seen. */
export class UnassignedTracker extends Error {
  constructor() {
    super('The tracker is on no machine.');
    this.name = 'UnassignedTracker';
  }
}

export interface ReceivedMessage {
  sender: Sender;
  protocol: Protocol;
  topic: string;
  body: Uint8Array;
  receivedAt: Date;
}

/** Resolves when the message is committed. Throws `InvalidMessage` or `UnassignedTracker`; nothing is stored then. */
export type Receive = (message: ReceivedMessage) => Promise<void>;

/** Creates the function that receives messages of this application. */
export function createReceiver(services: Services): Receive {
  const intake = intakeOf(services);
  const findSettings = createAdapterSettings(services);
  return async ({ sender, protocol, topic, body, receivedAt }) => {
    const mediaType = mediaTypeOf(topic);
    const parsedMessages = readMessage(protocol, { mediaType, body }, findSettings(sender));
    const { machineId, trackerId, names } = sender;
    const device = names[0] as string;
    if (machineId === null) {
      await recordUnknownDevice(services, {
        device,
        protocol,
        payload: printPayload(body),
        position: parsedMessages.at(-1)?.message.position ?? null,
      });
      throw new UnassignedTracker();
    }
    await intake(
      parsedMessages.map(
        ({ message, body: messageBody }): Incoming => ({
          machineId,
          trackerId,
          protocol,
          message,
          receivedAt,
          raw: { device, mediaType, body: messageBody },
        }),
      ),
    );
  };
}

/** Payload of an unknown device as text, which helps people to recognise the device. */
export const printPayload = (body: Uint8Array): string => Buffer.from(body).toString('utf8').replaceAll('\0', '');
