/**
 * Receives messages of VDA 5050 vehicles from an external broker (`MQTT_URL`), in one process of all. Access control is
 * up to that broker. The broker session survives a change of the process, so no message of QoS 1 is lost; messages are
 * acknowledged after the commit.
 */
import { createHash } from 'node:crypto';
import type { IPublishPacket, MqttClient } from 'mqtt';
import type { Services } from '../../context/services';
import { advisoryLocks } from '../../db/core/advisoryLocks';
import { openReceipts } from '../ingest/receipts';
import { openReceive, payloadOf, Unassigned } from '../ingest/receive';
import { findTracker, recordUnknownDevice } from '../ingest/senders';
import { storeFactsheet } from '../ingest/storeFactsheet';
import { InvalidMessage } from '../timeline/observation';
import { isMessage, topicOf, vehicleTopics } from './topics';

/** Interval of claims on the subscription, and delay before a message is retried, in milliseconds. */
const claimEvery = 3000;
const afterFailure = 1000;

export async function openBridge(services: Services, url: string): Promise<() => Promise<void>> {
  const { connect } = await import('mqtt');
  const { db, log, signingKey } = services;
  const handle = messageHandler(services);
  // The same for all processes of an installation, and unique to it.
  const clientId = `sweepline-${createHash('sha256').update('mqtt').update(signingKey).digest('hex').slice(0, 12)}`;
  let client: MqttClient | undefined;
  let isStopped = false;

  function subscribe(): MqttClient {
    const connection = connect(url, { clientId, clean: false, resubscribe: true });
    connection.on('connect', () =>
      connection.subscribe(
        [...vehicleTopics],
        { qos: 1 },
        (err) => err && log.error({ err }, 'the MQTT broker refuses our subscriptions'),
      ),
    );
    connection.on('error', (err) => log.warn({ err }, 'the MQTT broker cannot be reached'));
    connection.handleMessage = (packet, done) => {
      void handleWithRetry(connection, packet).then(() => done());
    };
    return connection;
  }

  async function handleWithRetry(from: MqttClient, packet: IPublishPacket): Promise<void> {
    while (client === from) {
      try {
        return await handle(packet);
      } catch (err) {
        log.warn({ err, topic: packet.topic }, 'an MQTT message could not be stored; it will be tried again');
        await new Promise((resolve) => setTimeout(resolve, afterFailure));
      }
    }
    // Never acknowledges: the process that takes over the session receives the message again.
    await new Promise(() => undefined);
  }

  async function updateClaim(): Promise<void> {
    const isOurs = !isStopped && (await db.claim(advisoryLocks.mqttBridge).catch(() => false));
    if (isOurs === Boolean(client)) return;
    const previous = client;
    client = isOurs ? subscribe() : undefined;
    await previous?.endAsync(true);
  }

  let updating = updateClaim();
  const timer = setInterval(() => {
    updating = updating.then(updateClaim);
  }, claimEvery).unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await updating;
    await updateClaim();
  };
}

/** Stores a message. Invalid messages and those of unknown vehicles count as handled: repeating them would not help. */
function messageHandler(services: Services): (packet: IPublishPacket) => Promise<void> {
  const { db, log, now } = services;
  const receive = openReceive(services);
  const receiptOf = openReceipts();
  return async ({ topic, payload, retain }) => {
    const vehicleTopic = topicOf(topic);
    // Retained messages are from the past, but for a factsheet that does not matter.
    const isFactsheet = vehicleTopic?.name === 'factsheet';
    if (vehicleTopic?.protocol !== 'vda5050' || !(isFactsheet || (isMessage(vehicleTopic) && !retain))) return;
    const receivedAt = receiptOf(vehicleTopic.devices[0], now());
    const body = Buffer.from(payload);
    const sender = await findTracker(db, vehicleTopic.devices);
    if (!sender)
      return recordUnknownDevice(services, {
        device: vehicleTopic.devices[0],
        protocol: 'vda5050',
        payload: payloadOf(body),
        position: null,
      });
    try {
      if (isFactsheet) await storeFactsheet(services, { trackerId: sender.trackerId, body, receivedAt });
      else await receive({ sender, protocol: 'vda5050', topic: vehicleTopic.name, body, receivedAt });
    } catch (error) {
      if (!(error instanceof InvalidMessage || error instanceof Unassigned)) throw error;
      log.info({ err: error.message, topic }, 'an MQTT message was refused');
    }
  };
}
