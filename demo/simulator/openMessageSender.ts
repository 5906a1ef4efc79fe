/** Sends messages to the server over HTTP, and over MQTT with one connection per machine. */
import type { MqttClient } from 'mqtt';
import type { SimulatedMachine } from './advanceMachine';
import { deviceProtocols, type SimulatedProtocol } from './protocols';
import type { MqttMessage, SimulatedMessage } from './simulatedMessage';
import { connectionOf } from './vda5050';

/**
 * `accepted`: a 2xx response, or an acknowledgement of the broker, which cannot refuse messages. `unanswered`: no
 * response in time, 429 or 5xx; the message may be sent again.
 */
export type SendOutcome = 'accepted' | 'refused' | 'unanswered';

export interface MessageSender {
  send(machine: SimulatedMachine, message: SimulatedMessage): Promise<SendOutcome>;
  /** Disconnects from the broker. */
  close(): Promise<void>;
}

export interface MessageSenderOptions {
  url: string;
  mqttUrl: string | undefined;
  /**
   * Whether vehicles announce their connection and leave a last will. Must be off for simulations of the past, because
   * such a message takes effect when the broker receives it, not at its simulated time.
   */
  isRealTime: boolean;
}

/** Timeout for a response, in milliseconds. */
const timeout = 15_000;

export function openMessageSender({ url, mqttUrl, isRealTime }: MessageSenderOptions): MessageSender {
  const clients = new Map<string, Promise<MqttClient>>();

  async function connect(machine: SimulatedMachine): Promise<MqttClient> {
    if (!mqttUrl) throw new Error('No MQTT broker is configured.');
    const { connectAsync } = await import('mqtt');
    const { version }: SimulatedProtocol = deviceProtocols[machine.protocol ?? 'osmand query'];
    const connection = isRealTime && version ? connectionOf(version, machine.device, new Date()) : undefined;
    const will = connection && {
      topic: connection.broken.topic,
      payload: Buffer.from(connection.broken.body),
      qos: 1 as const,
      retain: true,
    };
    const client = await connectAsync(mqttUrl, { username: machine.secret ?? '', ...(will && { will }) }, false);
    // The client reconnects automatically.
    client.on('error', () => undefined);
    if (connection)
      await client.publishAsync(connection.online.topic, connection.online.body, { qos: 1, retain: true });
    return client;
  }

  async function publish(machine: SimulatedMachine, { topic, body }: MqttMessage): Promise<SendOutcome> {
    const client = clients.get(machine.device) ?? connect(machine);
    clients.set(machine.device, client);
    client.catch(() => clients.delete(machine.device));
    await (await client).publishAsync(topic, body, { qos: 1 });
    return 'accepted';
  }

  async function call({ method, path, headers, body }: SimulatedMessage & { by: 'http' }): Promise<SendOutcome> {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(timeout),
    });
    await response.arrayBuffer();
    if (response.ok) return 'accepted';
    return response.status >= 500 || response.status === 429 ? 'unanswered' : 'refused';
  }

  return {
    send: (machine, message) => withTimeout(message.by === 'mqtt' ? publish(machine, message) : call(message)),
    async close() {
      const connections = await Promise.allSettled(clients.values());
      await Promise.all(
        connections.map((result) => result.status === 'fulfilled' && result.value.endAsync(!result.value.connected)),
      );
    },
  };
}

/** Never rejects: an error counts as `unanswered`. */
function withTimeout(outcome: Promise<SendOutcome>): Promise<SendOutcome> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('unanswered'), timeout);
    outcome
      .catch(() => 'unanswered' as const)
      .then((response) => {
        clearTimeout(timer);
        resolve(response);
      });
  });
}
