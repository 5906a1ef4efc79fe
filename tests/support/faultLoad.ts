/** Devices that keep each message until it is acknowledged and then send the next, by HTTP and by MQTT. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type MqttClient } from 'mqtt';
import { vdaState } from './mqtt';

export interface LoadDevice {
  machine: number;
  /** `tracker_or_serial` of its tracker. */
  id: string;
}

export interface FaultLoadOptions {
  /** Addresses of the processes; a device tries another one when one fails it. */
  urls: readonly string[];
  brokerPort: number;
  overHttp: readonly LoadDevice[];
  overMqtt: readonly LoadDevice[];
}

export interface SentMessage {
  machine: number;
  /** Time in the message, milliseconds since 1970: unique per machine, and when it was first sent. */
  at: number;
  acknowledgedAt?: number;
  /** Address of the process that acknowledged it. */
  by?: string;
}

export interface FaultLoad {
  sentOverHttp: SentMessage[];
  sentOverMqtt: SentMessage[];
  /** Holds the vehicles; resolves when none waits for a PUBACK, with what lets them go on. */
  holdVehicles(): Promise<() => void>;
  /** Sends no more; resolves once everything that was sent is acknowledged. */
  stop(): Promise<void>;
}

/** Milliseconds from one message of a device to the next. */
const pace = 100;
/** Square metres that each message by HTTP reports: sums show what is counted twice. */
export const areaPerMessage = 3;

/**
 * Sends an OsmAnd message until a process acknowledges it, with the same content each time. Resolves with the address
 * of that process.
 */
export async function sendUntilAcknowledged(
  urls: readonly string[],
  query: Record<string, string>,
  first = 0,
): Promise<string> {
  for (let attempt = first; ; attempt += 1) {
    const url = urls[attempt % urls.length] as string;
    const status = await fetch(`${url}/ingest/osmand?${new URLSearchParams(query)}`, {
      signal: AbortSignal.timeout(2000),
    }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return url;
    // What is refused for good would be lost.
    if (status >= 400 && status < 500 && status !== 429) throw new Error(`Refused with ${status}.`);
    await sleep(50);
  }
}

export function startFaultLoad({ urls, brokerPort, overHttp, overMqtt }: FaultLoadOptions): FaultLoad {
  const sentOverHttp: SentMessage[] = [];
  const sentOverMqtt: SentMessage[] = [];
  const clients: MqttClient[] = [];
  let [isEnding, unacknowledged] = [false, 0];
  let gate: Promise<void> | undefined;

  async function* messages(machine: number, sent: SentMessage[]): AsyncGenerator<SentMessage> {
    for (let last = 0; !isEnding; ) {
      last = Math.max(last + 1, Date.now());
      const message = { machine, at: last };
      sent.push(message);
      yield message;
      await sleep(pace);
    }
  }

  async function sendOverHttp({ machine, id }: LoadDevice, nth: number): Promise<void> {
    let attempt = nth;
    for await (const message of messages(machine, sentOverHttp)) {
      const state = message.at % 5000 < 2500 ? 'cleaning' : 'parked';
      const query = { id, timestamp: String(message.at), status: state, area: String(areaPerMessage) };
      message.by = await sendUntilAcknowledged(urls, query, attempt++);
      message.acknowledgedAt = Date.now();
    }
  }

  async function sendOverMqtt({ machine, id }: LoadDevice): Promise<void> {
    // Repeats what the broker has not acknowledged whenever it is connected again.
    const client = connect(`mqtt://127.0.0.1:${brokerPort}`, { reconnectPeriod: 100, connectTimeout: 2000 });
    clients.push(client.on('error', () => undefined));
    for await (const message of messages(machine, sentOverMqtt)) {
      await gate;
      const state = vdaState({ driving: message.at % 5000 < 2500 }, new Date(message.at));
      unacknowledged += 1;
      await client.publishAsync(`uagv/v2/ACME/${id}/state`, JSON.stringify(state), { qos: 1 });
      unacknowledged -= 1;
      message.acknowledgedAt = Date.now();
    }
  }

  const sending = [...overHttp.map(sendOverHttp), ...overMqtt.map(sendOverMqtt)];
  return {
    sentOverHttp,
    sentOverMqtt,
    async holdVehicles() {
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      while (unacknowledged > 0) await sleep(1);
      return open;
    },
    async stop() {
      isEnding = true;
      await Promise.all(sending);
      await Promise.all(clients.map((client) => client.endAsync()));
    },
  };
}
