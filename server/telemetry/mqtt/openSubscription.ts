/**
 * One persistent session at an external broker. Messages of QoS 1 are acknowledged after their commit, so the broker
 * sends unstored ones again, to whoever connects with the client id next.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { IClientOptions, MqttClient } from 'mqtt';
import { generate } from 'mqtt-packet';
import type { VehicleReader } from './createVehicleReader';

/** Messages in flight per session: they share a transaction (intake.ts). */
const maxInFlight = 100;
/** Milliseconds before a message is retried. */
const retryDelay = 1000;
/** Milliseconds without messages after which a session without subscriptions counts as drained. */
const drainSilence = 2000;
/**
 * Milliseconds before a reconnection. Short, because Mosquitto 2.0 forgets shared subscriptions when it restarts: until
 * we subscribe again, messages reach nobody.
 */
const reconnectPeriod = 200;
/** MQTT 5, 3.1.2.11.2: the session does not expire. */
const neverExpires = 0xffffffff;

export interface SubscriptionOptions {
  connect: (url: string, options: IClientOptions) => MqttClient;
  url: string;
  clientId: string;
  topics: readonly string[];
  protocolVersion: 4 | 5;
  read: VehicleReader;
  log: FastifyBaseLogger;
}

export interface Subscription {
  /** Whether the broker has confirmed the subscriptions. */
  isSubscribed(): boolean;
  /**
   * Unsubscribes, stores the messages that the session still holds, then ends it. Resolves to false if the connection
   * was lost meanwhile: then the session remains.
   */
  endSession(): Promise<boolean>;
  /** Disconnects; the session remains. Waits for messages in flight for at most `wait` milliseconds. */
  close(wait: number): Promise<void>;
}

export function openSubscription(options: SubscriptionOptions): Subscription {
  const { clientId, topics, protocolVersion, read, log } = options;
  const connection = options.connect(options.url, {
    clientId,
    protocolVersion,
    clean: false,
    resubscribe: false,
    reconnectOnConnackError: true,
    reconnectPeriod,
    ...(protocolVersion === 5 && {
      properties: { sessionExpiryInterval: neverExpires, receiveMaximum: maxInFlight },
    }),
  });
  /** Messages being handled. At the maximum, `resume` is set and requests the next message once one has ended. */
  let inFlight = 0;
  let resume: (() => void) | undefined;
  let receivedCount = 0;
  let state: 'open' | 'draining' | 'closed' = 'open';
  let isSubscribed = false;
  let isSessionPresent = true;

  const acknowledge = createAcknowledgements((messageId) => {
    connection.stream.write(generate({ cmd: 'puback', messageId, reasonCode: 0 }, { protocolVersion }));
  });

  connection.on('connect', ({ sessionPresent }) => {
    isSessionPresent = sessionPresent;
    if (state === 'open')
      connection.subscribe([...topics], { qos: 1 }, (err) => {
        isSubscribed = !err;
        if (err && connection.connected) log.error({ err, clientId }, 'the MQTT broker refuses our subscriptions');
      });
  });
  connection.on('error', (err) => log.warn({ err, clientId }, 'the MQTT broker cannot be reached'));
  connection.handleMessage = (packet, next) => {
    if (state === 'closed') return;
    receivedCount += 1;
    inFlight += 1;
    const { stream } = connection;
    const markStored = packet.qos === 1 ? acknowledge(stream, packet.messageId as number) : () => undefined;
    const mayRetry = () => state !== 'closed' && (packet.qos === 0 || connection.stream === stream);
    // The error makes mqtt.js continue without sending PUBACK, which `acknowledge` sends after the commit.
    const takeNext = () => next(packet.qos === 1 ? new Error('Acknowledged later.') : undefined);
    void retryUntilStored(() => read(packet), { mayRetry, log, topic: packet.topic }).then((isStored) => {
      if (isStored) markStored();
      inFlight -= 1;
      const requestNext = resume;
      resume = undefined;
      requestNext?.();
    });
    if (inFlight < maxInFlight) takeNext();
    else resume = takeNext;
  };

  /** Waits a while; returns whether nothing arrived or was in flight, and the connection was the same all the time. */
  async function isQuiet(): Promise<boolean> {
    const countBefore = receivedCount;
    const { stream } = connection;
    await sleep(drainSilence);
    // A response of the broker proves that it was not merely slow.
    await connection.unsubscribeAsync([...topics]);
    return inFlight === 0 && receivedCount === countBefore && connection.stream === stream;
  }

  async function endSession(): Promise<boolean> {
    state = 'draining';
    isSubscribed = false;
    try {
      await waitUntilConnected(connection);
      await connection.unsubscribeAsync([...topics]);
      while (isSessionPresent && !(await isQuiet())) if (!connection.connected) throw new Error('Connection lost');
      state = 'closed';
      await connection.endAsync(false, { reasonCode: 0, properties: { sessionExpiryInterval: 0 } });
      return true;
    } catch (err) {
      log.warn({ err, clientId }, 'an MQTT session could not be drained; it will be tried again');
      await close(0);
      return false;
    }
  }

  async function close(wait: number): Promise<void> {
    const deadline = Date.now() + wait;
    state = state === 'open' ? 'draining' : state;
    while (inFlight > 0 && connection.connected && Date.now() < deadline) await sleep(10);
    state = 'closed';
    isSubscribed = false;
    if (connection.connected) await Promise.race([connection.endAsync(), sleep(1000)]);
    await connection.endAsync(true);
  }

  return { isSubscribed: () => isSubscribed, endSession, close };
}

/**
 * Sends PUBACKs in the order of their messages (MQTT 5, section 4.6): each waits for those before it. Those of an
 * earlier connection are dropped, because the broker sends their messages again.
 */
export function createAcknowledgements(
  send: (messageId: number) => void,
): (connection: object, messageId: number) => () => void {
  let current: object | undefined;
  let pendingMessages: { messageId: number; isStored: boolean }[] = [];
  return (connection, messageId) => {
    if (connection !== current) pendingMessages = [];
    current = connection;
    const queue = pendingMessages;
    const entry = { messageId, isStored: false };
    queue.push(entry);
    return () => {
      entry.isStored = true;
      if (queue !== pendingMessages) return;
      for (let next = queue[0]; next?.isStored; next = queue[0]) {
        queue.shift();
        send(next.messageId);
      }
    };
  };
}

interface RetryOptions {
  mayRetry: () => boolean;
  log: FastifyBaseLogger;
  topic: string;
}

/**
 * Repeats `work` until it succeeds. Returns false once `mayRetry` forbids it; the message then stays unacknowledged.
 */
async function retryUntilStored(work: () => Promise<void>, { mayRetry, log, topic }: RetryOptions): Promise<boolean> {
  for (;;) {
    try {
      await work();
      return true;
    } catch (err) {
      log.warn({ err, topic }, 'an MQTT message could not be stored; it will be tried again');
      await sleep(retryDelay);
      if (!mayRetry()) return false;
    }
  }
}

async function waitUntilConnected(connection: MqttClient): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!connection.connected) {
    if (Date.now() > deadline) throw new Error('Not connected');
    await sleep(20);
  }
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
