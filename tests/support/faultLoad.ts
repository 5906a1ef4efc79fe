/** Devices that keep each message until it is acknowledged and then send the next one, over HTTP or MQTT. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type MqttClient } from 'mqtt';
import { vdaState } from './mqttDevice';

export interface LoadDevice {
  machine: number;
  /** `tracker_or_serial` of its tracker. */
  id: string;
}

export interface FaultLoadOptions {
  /** Addresses of the processes. A device whose request fails tries the next one. */
  urls: readonly string[];
  brokerPort: number;
  httpDevices: readonly LoadDevice[];
  mqttDevices: readonly LoadDevice[];
}

export interface SentMessage {
  machine: number;
  /** Device time in milliseconds since the Unix epoch, unique per machine; also the time at which it was first sent. */
  at: number;
  acknowledgedAt?: number;
  /** Address of the process that acknowledged it. */
  acknowledgedBy?: string;
}

export interface FaultLoad {
  sentOverHttp: SentMessage[];
  sentOverMqtt: SentMessage[];
  /** Stops MQTT devices from sending. Resolves once none waits for a PUBACK, with a function that resumes them. */
  pauseMqtt(): Promise<() => void>;
  /** Stops sending. Resolves once everything that was sent is acknowledged. */
  stop(): Promise<void>;
}

/** Milliseconds between two messages of a device. */
const messageInterval = 100;
/** Square metres in each message over HTTP, so that sums reveal messages that are counted twice. */
export const areaPerMessage = 3;

/**
 * Sends an OsmAnd message with the same content until a process acknowledges it. Resolves to the address of that
 * process.
 */
export async function sendUntilAcknowledged(
  urls: readonly string[],
  query: Record<string, string>,
  firstAttempt = 0,
): Promise<string> {
  for (let attempt = firstAttempt; ; attempt += 1) {
    const url = urls[attempt % urls.length] as string;
    const status = await fetch(`${url}/ingest/osmand?${new URLSearchParams(query)}`, {
      signal: AbortSignal.timeout(2000),
    }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return url;
    // A permanent rejection would lose the message.
    if (status >= 400 && status < 500 && status !== 429) throw new Error(`Refused with ${status}.`);
    await sleep(50);
  }
}

export function startFaultLoad({ urls, brokerPort, httpDevices, mqttDevices }: FaultLoadOptions): FaultLoad {
  const sentOverHttp: SentMessage[] = [];
  const sentOverMqtt: SentMessage[] = [];
  const clients: MqttClient[] = [];
  let [isEnding, unacknowledgedCount] = [false, 0];
  let pause: Promise<void> | undefined;

  async function* messages(machine: number, sentMessages: SentMessage[]): AsyncGenerator<SentMessage> {
    for (let lastTime = 0; !isEnding; ) {
      lastTime = Math.max(lastTime + 1, Date.now());
      const message = { machine, at: lastTime };
      sentMessages.push(message);
      yield message;
      await sleep(messageInterval);
    }
  }

  async function sendOverHttp({ machine, id }: LoadDevice, index: number): Promise<void> {
    let attempt = index;
    for await (const message of messages(machine, sentOverHttp)) {
      const state = message.at % 5000 < 2500 ? 'cleaning' : 'parked';
      const query = { id, timestamp: String(message.at), status: state, area: String(areaPerMessage) };
      message.acknowledgedBy = await sendUntilAcknowledged(urls, query, attempt++);
      message.acknowledgedAt = Date.now();
    }
  }

  async function sendOverMqtt({ machine, id }: LoadDevice): Promise<void> {
    // The client sends unacknowledged messages again whenever it reconnects.
    const client = connect(`mqtt://127.0.0.1:${brokerPort}`, { reconnectPeriod: 100, connectTimeout: 2000 });
    clients.push(client.on('error', () => undefined));
    for await (const message of messages(machine, sentOverMqtt)) {
      await pause;
      const state = vdaState({ driving: message.at % 5000 < 2500 }, new Date(message.at));
      unacknowledgedCount += 1;
      await client.publishAsync(`uagv/v2/ACME/${id}/state`, JSON.stringify(state), { qos: 1 });
      unacknowledgedCount -= 1;
      message.acknowledgedAt = Date.now();
    }
  }

  const senders = [...httpDevices.map(sendOverHttp), ...mqttDevices.map(sendOverMqtt)];
  return {
    sentOverHttp,
    sentOverMqtt,
    async pauseMqtt() {
      let resume = () => {};
      pause = new Promise((resolve) => {
        resume = resolve;
      });
      while (unacknowledgedCount > 0) await sleep(1);
      return resume;
    },
    async stop() {
      isEnding = true;
      await Promise.all(senders);
      await Promise.all(clients.map((client) => client.endAsync()));
    },
  };
}
