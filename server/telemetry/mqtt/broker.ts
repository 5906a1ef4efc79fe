/**
 * Embedded MQTT broker (3.1, 3.1.1 and 5). A device logs in with the secret of its tracker, as user name (like
 * ThingsBoard) or password, and may publish to its own topics only. Messages go to the database, never to other
 * clients. PUBACK follows the commit. Invalid messages are stored raw and acknowledged; messages on topics that we do
 * not use are acknowledged and dropped; forbidden messages, and those that cannot be stored, end the connection.
 */
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Aedes, Client, PublishPacket } from 'aedes';
import type { Services } from '../../context/services';
import { createBatcher } from '../../shared/createBatcher';
import { answerThingsBoardRequest } from '../adapters/answerThingsBoardRequest';
import { createReceiptTimes } from '../ingest/createReceiptTimes';
import { createReceiver } from '../ingest/receive';
import { findSenders, type Sender } from '../ingest/senders';
import { storeFactsheet } from '../ingest/storeFactsheet';
import { createRefusedStore } from '../ingest/storeRefused';
import { InvalidMessage } from '../timeline/observation';
import { createGatewayReceiver } from './createGatewayReceiver';
import { limitPackets } from './limitPackets';
import { onProtocolLevel } from './protocolLevel';
import { isMessageTopic, mayReadTopics, mayWrite, parseTopic } from './topics';
import { reasonCodes, translateVersion5 } from './translateVersion5';

/** Maximum bytes of a packet. */
const maxPacketSize = 256 * 1024;
/** Milliseconds allowed for CONNECT. */
const connectTimeout = 10_000;
/** Milliseconds that messages being stored have for their acknowledgement when the process ends. */
const lastMessagesTimeout = 2000;
/** Messages of QoS 2 that a client may leave unfinished. */
const maxInflightInbound = 1000;
const sessionLimits = { maxPayloadSize: maxPacketSize, maxInflightMessages: maxInflightInbound };

interface Session {
  secret: string;
  sender: Sender;
}

/** A client may not publish this. Aedes closes its connection: MQTT 3.1.1 offers no other reply, 5 names the reason. */
class PublishDenied extends Error {}

/** The process is ending. The client should connect to another one and send unacknowledged messages again. */
class BrokerEnding extends Error {}

export interface Broker {
  server: Server;
  close(): Promise<void>;
}

/** Opens the broker. The caller makes `server` listen. */
export async function openBroker(services: Services): Promise<Broker> {
  const { Aedes } = await import('aedes');
  const { db, log } = services;
  const receive = createReceiver(services);
  const assignReceiptTime = createReceiptTimes();
  const storeRefused = createRefusedStore();
  const receiveFromGateway = createGatewayReceiver(services, { receive, assignReceiptTime, storeRefused });
  const findSender = createBatcher((secrets: readonly string[]) => findSenders(db, secrets));
  const sessions = new WeakMap<Client, Session>();
  /** The latest connection of each tracker. */
  const latestClients = new Map<number, Client>();
  /** A client may publish before its CONNACK (MQTT 3.1.1, section 3.1.4): its messages wait for that. */
  const connacks = new WeakMap<Client, { sent: Promise<void>; markSent: () => void }>();
  /** Payloads of our own responses, the only ones that clients receive. */
  const responses = new WeakSet<object>();
  /** Open connections of MQTT 5. */
  const version5Connections = new Set<Duplex>();
  /** Messages being stored. */
  const pendingMessages = new Set<Promise<void>>();
  let isClosing = false;

  async function logIn(client: Client, username: string | undefined, password: Buffer | undefined): Promise<boolean> {
    for (const secret of [username, password?.toString()]) {
      const sender = secret ? await findSender(secret) : undefined;
      if (!secret || !sender) continue;
      sessions.set(client, { secret, sender });
      latestClients.set(sender.trackerId, client);
      // Client ids are scoped to the tracker: nobody can take over another's connection or session.
      Object.assign(client, { id: `${sender.trackerId}:${client.id}` });
      return true;
    }
    return false;
  }

  async function handlePublish(client: Client | null, packet: PublishPacket, isWill: boolean): Promise<void> {
    if (client && !isWill) await connacks.get(client)?.sent;
    const session = client && sessions.get(client);
    const topic = parseTopic(packet.topic);
    if (isClosing) throw new BrokerEnding('This process takes no more messages.');
    if (!session || !topic) throw new PublishDenied(`Nobody may write to ${packet.topic}`);
    const receivedAt = assignReceiptTime(session.secret, services.now());
    // A will no longer applies once the tracker has reconnected.
    if (isWill && latestClients.get(session.sender.trackerId) !== client) return;
    if (isWill && !(topic.protocol === 'vda5050' ? topic.name === 'connection' : isMessageTopic(topic))) return;
    // Looked up with every message: the secret may have been replaced, or the tracker moved to another machine.
    const sender = await findSender(session.secret);
    if (!sender || !mayWrite(sender.names, topic))
      throw new PublishDenied(`${session.sender.names[0]} may not write to ${packet.topic}`);
    // Nobody subscribes, so nothing is retained.
    packet.retain = false;
    const body = Buffer.from(packet.payload);
    if (topic.name === 'request')
      return respond(
        client,
        topic.responseTopic,
        answerThingsBoardRequest(topic.requestKind, body, { now: services.now(), limits: sessionLimits }),
      );
    if (!isMessageTopic(topic)) {
      const { trackerId } = sender;
      if (topic.name === 'factsheet')
        await acknowledgeUnread(storeFactsheet(services, { trackerId, body, receivedAt }));
      if (topic.name === 'gateway')
        await acknowledgeUnread(receiveFromGateway({ gateway: sender, topic: topic.gatewayTopic, body }));
      return;
    }
    const name = isWill && topic.protocol === 'thingsboard' ? 'will' : topic.name;
    const receivedMessage = { sender, protocol: topic.protocol, topic: name, body, receivedAt };
    await receive(receivedMessage).catch(async (error: unknown) => {
      if (!(error instanceof InvalidMessage) || sender.machineId === null) throw error;
      // MQTT 3.1.1 can only refuse by closing the connection, and the device would reconnect and send the same again.
      await storeRefused(db, { ...receivedMessage, machineId: sender.machineId });
      log.info(
        { err: error.message, topic: packet.topic, device: sender.names[0] },
        'an MQTT message could not be read',
      );
    });
  }

  /** Awaits the handling of a message that is not stored raw. One that cannot be read is logged and acknowledged. */
  async function acknowledgeUnread(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      if (!(error instanceof InvalidMessage)) throw error;
      log.info({ err: error.message }, 'an MQTT message could not be read');
    });
  }

  /** Publishes a response to one client: the only exception to the rule that nothing is forwarded. */
  function respond(client: Client, topic: string, response: unknown): void {
    const payload = Buffer.from(JSON.stringify(response));
    responses.add(payload);
    client.publish({ cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false }, () => undefined);
  }

  const broker: Aedes = new Aedes({
    connectTimeout,
    maxInflightInbound,
    authenticate: (client, username, password, done) => {
      logIn(client, username, password).then(
        (isKnown) => done(isKnown ? null : connectError(badCredentials), isKnown),
        () => done(connectError(unavailable), false),
      );
    },
    authorizePublish: (client, packet, done) => {
      // A closed client publishes only its last will.
      const handling = handlePublish(client, packet, client?.closed ?? false).then(
        () => done(null),
        (error: Error) => {
          if (!isClosing)
            log.info(
              {
                err: error.message,
                topic: packet.topic,
                device: client ? sessions.get(client)?.sender.names[0] : undefined,
              },
              'an MQTT message was refused',
            );
          done(error);
        },
      );
      pendingMessages.add(handling);
      void handling.finally(() => pendingMessages.delete(handling));
    },
    authorizeSubscribe: (client, subscription, done) => {
      const names = sessions.get(client)?.sender.names ?? [];
      done(null, mayReadTopics(names, subscription.topic) ? subscription : null);
    },
    authorizeForward: (_client, packet) => (responses.has(packet.payload as Buffer) ? packet : null),
  });
  broker.on('connackSent', (_answer, client) => connacks.get(client)?.markSent());
  broker.on('clientDisconnect', (client) => {
    const session = sessions.get(client);
    if (session && latestClients.get(session.sender.trackerId) === client)
      latestClients.delete(session.sender.trackerId);
  });
  await broker.listen();

  const server = createServer((socket: Socket) => {
    socket.setKeepAlive(true, 60_000).setNoDelay(true);
    onProtocolLevel(socket, connectTimeout, (level) => {
      const connection = level === 5 ? translateVersion5(socket, { maxPacketSize, reasonOf }) : socket;
      if (level === 5) version5Connections.add(connection.once('close', () => version5Connections.delete(connection)));
      const client = broker.handle(connection);
      let markSent = () => {};
      const connackDelivery = new Promise<void>((resolve) => {
        markSent = resolve;
      });
      connacks.set(client, { sent: connackDelivery, markSent });
      limitPackets(socket, maxPacketSize);
    });
  });

  const close = async () => {
    isClosing = true;
    const serverClose = new Promise((resolve) => server.close(resolve));
    await Promise.race([Promise.all(pendingMessages), sleep(lastMessagesTimeout)]);
    // Lets the event loop write their PUBACKs.
    await setImmediate();
    // MQTT 3.1.1 has no packet for this; those clients only see their connection end.
    for (const connection of version5Connections) connection.destroy(new BrokerEnding());
    await new Promise<void>((resolve) => broker.close(resolve));
    await serverClose;
  };
  return { server, close };
}

function reasonOf(error: Error): number {
  if (error instanceof BrokerEnding) return reasonCodes.serverShuttingDown;
  return error instanceof PublishDenied ? reasonCodes.notAuthorized : reasonCodes.unspecified;
}

/** Return codes of CONNACK (MQTT 3.1.1, table 3.1). */
const unavailable = 3;
const badCredentials = 4;
const connectError = (returnCode: number) => Object.assign(new Error('Not connected.'), { returnCode });
