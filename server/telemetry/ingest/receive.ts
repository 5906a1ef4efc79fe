/** Messages of devices that have proven who they are, whatever carried them. */
import type { Services } from '../../context/services';
import { adapterSettings, onTopic, read } from '../adapters/read';
import type { Protocol } from '../timeline/observation';
import { recordUnknownDevice, type Sender } from './devices';
import { openIntake } from './intake';
import type { Incoming } from './store';

/** A message was understood, but its tracker is on no machine: nothing is stored, and the tracker was seen. */
export class Unassigned extends Error {
  constructor() {
    super('The tracker is on no machine.');
    this.name = 'Unassigned';
  }
}

export interface ReceivedMessage {
  sender: Sender;
  protocol: Protocol;
  topic: string;
  body: Uint8Array;
  receivedAt: Date;
}

/** Resolves when the message is stored for good. Throws `Unreadable` or `Unassigned`, and then nothing is stored. */
export type Receive = (sent: ReceivedMessage) => Promise<void>;

export function openReceive(services: Services): Receive {
  const intake = openIntake(services);
  const settings = adapterSettings(services);
  return async ({ sender, protocol, topic, body, receivedAt }) => {
    const mediaType = onTopic(topic);
    const readings = read(protocol, { mediaType, body }, settings);
    const { machineId, trackerId, names } = sender;
    const device = names[0] as string;
    if (machineId === null) {
      await recordUnknownDevice(services, {
        device,
        protocol,
        payload: payloadOf(body),
        position: readings.at(-1)?.message.position ?? null,
      });
      throw new Unassigned();
    }
    await intake(
      readings.map(
        ({ message, body: own }): Incoming => ({
          machineId,
          trackerId,
          protocol,
          message,
          receivedAt,
          raw: { device, mediaType, body: own },
        }),
      ),
    );
  };
}

/** What a stranger sent, for people to recognise it by. */
export const payloadOf = (body: Uint8Array): string => Buffer.from(body).toString('utf8').replaceAll('\0', '');
