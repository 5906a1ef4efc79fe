/**
 * The embedded MQTT broker (3.1 and 3.1.1). A device logs in with the secret of its tracker, as user name (as
 * ThingsBoard has it) or as password, and writes to its own topics only. Nobody reads: messages go to the database and
 * to no other client. A PUBACK is sent after the commit. What cannot be read is acknowledged, too, once it is kept as
 * it came; what may not be sent, or could not be stored, ends the connection.
 */
import { createServer, type Server, type Socket } from 'node:net';
import type { Aedes, Client, PublishPacket } from 'aedes';
import type { Services } from '../../context/services';
import { createBatcher } from '../../shared/batcher';
import { type Sender, sendersOf } from '../ingest/devices';
import { openReceipts } from '../ingest/receipts';
import { openReceive } from '../ingest/receive';
import { openRefused } from '../ingest/refused';
import { InvalidMessage } from '../timeline/observation';
import { limitPackets } from './size';
import { mayReadTopics, mayWrite, topicOf } from './topics';

/** Bytes of a packet. */
const largest = 256 * 1024;
/** Milliseconds for a client to say who it is. */
const patience = 10_000;

interface Session {
  secret: string;
  sender: Sender;
}

/**
 * What keeps a client from doing what it asks. Aedes answers by closing its connection: MQTT 3.1.1 has no other way.
 */
class Denied extends Error {}

export interface Broker {
  server: Server;
  close(): Promise<void>;
}

export async function openBroker(services: Services): Promise<Broker> {
  const { Aedes } = await import('aedes');
  const { db, log } = services;
  const receive = openReceive(services);
  const receiptOf = openReceipts();
  const keepRefused = openRefused();
  const senderOf = createBatcher((secrets: readonly string[]) => sendersOf(db, secrets));
  const sessions = new WeakMap<Client, Session>();
  /** The connection that a tracker has opened last. */
  const newest = new Map<number, Client>();
  /**
   * Clients may speak before they are let in (MQTT 3.1.1, 3.1.4): until the answer to their CONNECT is sent, what they
   * say waits.
   */
  const answered = new WeakMap<Client, { told: Promise<void>; tell: () => void }>();
  let isClosing = false;

  async function logIn(client: Client, username: string | undefined, password: Buffer | undefined): Promise<boolean> {
    for (const secret of [username, password?.toString()]) {
      const sender = secret ? await senderOf(secret) : undefined;
      if (!secret || !sender) continue;
      sessions.set(client, { secret, sender });
      newest.set(sender.trackerId, client);
      // Ids are each tracker's own: nobody takes over the connection or the session of another by its name.
      Object.assign(client, { id: `${sender.trackerId}:${client.id}` });
      return true;
    }
    return false;
  }

  async function take(client: Client | null, packet: PublishPacket, isWill: boolean): Promise<void> {
    if (client && !isWill) await answered.get(client)?.told;
    const session = client && sessions.get(client);
    const topic = topicOf(packet.topic);
    if (!session || !topic || isClosing) throw new Denied(`Nobody may write to ${packet.topic}`);
    const receivedAt = receiptOf(session.secret, services.now());
    // A tracker that is back already is not lost.
    if (isWill && newest.get(session.sender.trackerId) !== client) return;
    if (isWill && topic.protocol === 'vda5050' && topic.name !== 'connection') return;
    // Asked anew: a secret may have been replaced, and the tracker put on another machine.
    const sender = await senderOf(session.secret);
    if (!sender || !mayWrite(sender.names, topic))
      throw new Denied(`${session.sender.names[0]} may not write to ${packet.topic}`);
    const name = isWill && topic.protocol === 'thingsboard' ? 'will' : topic.name;
    // Nobody reads it: there is nothing to keep for those who come later.
    packet.retain = false;
    const sent = { sender, protocol: topic.protocol, topic: name, body: Buffer.from(packet.payload), receivedAt };
    await receive(sent).catch(async (error: unknown) => {
      if (!(error instanceof InvalidMessage) || sender.machineId === null) throw error;
      // MQTT 3.1.1 knows no other no than the end of the connection, after which a device comes back and sends the same
      // again.
      await keepRefused(db, { ...sent, machineId: sender.machineId });
      log.info(
        { err: error.message, topic: packet.topic, device: sender.names[0] },
        'an MQTT message could not be read',
      );
    });
  }

  const broker: Aedes = new Aedes({
    connectTimeout: patience,
    authenticate: (client, username, password, done) => {
      logIn(client, username, password).then(
        (isKnown) => done(isKnown ? null : refused(badCredentials), isKnown),
        () => done(refused(unavailable), false),
      );
    },
    authorizePublish: (client, packet, done) => {
      // A client that is closed publishes nothing but its last will.
      take(client, packet, client?.closed ?? false).then(
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
    },
    authorizeSubscribe: (client, subscription, done) => {
      const names = sessions.get(client)?.sender.names ?? [];
      done(null, mayReadTopics(names, subscription.topic) ? subscription : null);
    },
    authorizeForward: () => null,
  });
  broker.on('connackSent', (_answer, client) => answered.get(client)?.tell());
  broker.on('clientDisconnect', (client) => {
    const session = sessions.get(client);
    if (session && newest.get(session.sender.trackerId) === client) newest.delete(session.sender.trackerId);
  });
  await broker.listen();

  const server = createServer((socket: Socket) => {
    socket.setKeepAlive(true, 60_000).setNoDelay(true);
    const client = broker.handle(socket);
    let tell = () => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    answered.set(client, { told, tell });
    limitPackets(socket, largest);
  });

  const close = async () => {
    isClosing = true;
    const closed = new Promise((resolve) => server.close(resolve));
    await new Promise<void>((resolve) => broker.close(resolve));
    await closed;
  };
  return { server, close };
}

/** Return codes of CONNACK (MQTT 3.1.1, table 3.1). */
const unavailable = 3;
const badCredentials = 4;
const refused = (returnCode: number) => Object.assign(new Error('Not connected.'), { returnCode });
