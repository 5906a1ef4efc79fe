/**
 * VDA 5050 vehicles on an external broker (`MQTT_URL`): one process of all that serve the database subscribes for them
 * all. Who may write where is that broker's own business. Its session outlasts a change of the process, so that no
 * message of QoS 1 is missed; a message is acknowledged after the commit.
 */
import { createHash } from 'node:crypto';
import type { IPublishPacket, MqttClient } from 'mqtt';
import type { Services } from '../../context/services';
import { recordUnknownDevice, trackerNamed } from '../ingest/devices';
import { openReceipts } from '../ingest/receipts';
import { openReceive, payloadOf, Unassigned } from '../ingest/receive';
import { InvalidMessage } from '../timeline/observation';
import { topicOf, vehicleTopics } from './topics';

const subscribing = 7_335_112_050;
/** Milliseconds between two questions whether this process is the one, and before a message is tried again. */
const askEvery = 3000;
const afterFailure = 1000;

export async function openBridge(services: Services, url: string): Promise<() => Promise<void>> {
  const { connect } = await import('mqtt');
  const { db, log, signingKey } = services;
  const take = taker(services);
  // The same for every process of an installation, and for no other.
  const clientId = `sweepline-${createHash('sha256').update('mqtt').update(signingKey).digest('hex').slice(0, 12)}`;
  let client: MqttClient | undefined;
  let isStopped = false;

  function begin(): MqttClient {
    const begun = connect(url, { clientId, clean: false, resubscribe: true });
    begun.on('connect', () =>
      begun.subscribe(
        [...vehicleTopics],
        { qos: 1 },
        (err) => err && log.error({ err }, 'the MQTT broker refuses our subscriptions'),
      ),
    );
    begun.on('error', (err) => log.warn({ err }, 'the MQTT broker cannot be reached'));
    begun.handleMessage = (packet, done) => {
      void untilTaken(begun, packet).then(() => done());
    };
    return begun;
  }

  async function untilTaken(from: MqttClient, packet: IPublishPacket): Promise<void> {
    while (client === from) {
      try {
        return await take(packet);
      } catch (err) {
        log.warn({ err, topic: packet.topic }, 'an MQTT message could not be stored; it will be tried again');
        await new Promise((resolve) => setTimeout(resolve, afterFailure));
      }
    }
    // Never acknowledged: whoever takes over the session gets it again.
    await new Promise(() => undefined);
  }

  async function ask(): Promise<void> {
    const isOurs = !isStopped && (await db.claim(subscribing).catch(() => false));
    if (isOurs === Boolean(client)) return;
    const ended = client;
    client = isOurs ? begin() : undefined;
    await ended?.endAsync(true);
  }

  let asking = ask();
  const timer = setInterval(() => {
    asking = asking.then(ask);
  }, askEvery).unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await asking;
    await ask();
  };
}

/**
 * Stores a message. What cannot be read, and what nobody's vehicle sends, is done with, too: no repetition would change
 * it.
 */
function taker(services: Services): (packet: IPublishPacket) => Promise<void> {
  const { db, log, now } = services;
  const receive = openReceive(services);
  const receiptOf = openReceipts();
  return async ({ topic, payload, retain }) => {
    const found = topicOf(topic);
    // Retained messages are of the past: nothing is happening now.
    if (found?.protocol !== 'vda5050' || retain) return;
    const receivedAt = receiptOf(found.devices[0], now());
    const body = Buffer.from(payload);
    const sender = await trackerNamed(db, found.devices);
    if (!sender)
      return recordUnknownDevice(services, {
        device: found.devices[0],
        protocol: 'vda5050',
        payload: payloadOf(body),
        position: null,
      });
    try {
      await receive({ sender, protocol: 'vda5050', topic: found.name, body, receivedAt });
    } catch (error) {
      if (!(error instanceof InvalidMessage || error instanceof Unassigned)) throw error;
      log.info({ err: error.message, topic }, 'an MQTT message was refused');
    }
  };
}
