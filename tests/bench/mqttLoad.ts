/**
 * Load over MQTT 3.1.1 with QoS 1. At any time, `concurrency` messages wait for their PUBACK; the devices send in turn.
 * They stay connected from the first job to the end of the process, so a job measures messages without logins.
 */
import { connect, type Socket } from 'node:net';
import mqtt from 'mqtt-packet';
import { fillTimes } from './loadClock';

export interface MqttJob {
  port: number;
  /** Seconds of load; messages in the first fifth are not counted. */
  seconds: number;
  /** One connection per secret, which is sent as the user name. */
  secrets: readonly string[];
  topic: string;
  /** Payload in which `%t` becomes the next second of the last ten days. */
  payload: string;
  concurrency: number;
}

export interface MqttResult {
  /** Acknowledged messages per second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
}

export async function measureMqtt({
  port,
  seconds,
  secrets,
  topic,
  payload,
  concurrency,
}: MqttJob): Promise<MqttResult> {
  const connectionsByLane = await Promise.all(
    Array.from({ length: concurrency }, async (_, lane) => {
      const ownConnections: MqttConnection[] = [];
      for (let index = lane; index < secrets.length; index += concurrency)
        ownConnections.push(await connectionOf(port, secrets[index] as string));
      return ownConnections;
    }),
  );
  const start = performance.now();
  const [from, until] = [start + seconds * 200, start + seconds * 1000];
  const times: number[] = [];
  await Promise.all(
    connectionsByLane.map(async (laneConnections) => {
      for (let index = 0; performance.now() < until; index = (index + 1) % laneConnections.length) {
        const sentAt = performance.now();
        await laneConnections[index]?.publish(topic, fillTimes(payload));
        const receivedAt = performance.now();
        if (receivedAt >= from && receivedAt < until) times.push(receivedAt - sentAt);
      }
    }),
  );
  times.sort((a, b) => a - b);
  return { rate: times.length / ((until - from) / 1000), p50: times[Math.floor(times.length / 2)] ?? Number.NaN };
}

const connections = new Map<string, Promise<MqttConnection>>();

/** The connection of a device, opened when it is first needed. */
function connectionOf(port: number, secret: string): Promise<MqttConnection> {
  const connection = connections.get(secret) ?? MqttConnection.open(port, secret);
  connections.set(secret, connection);
  return connection;
}

/** A device's connection. Throws if the broker refuses or closes it. */
class MqttConnection {
  private readonly pendingMessages = new Map<number, () => void>();
  private nextId = 0;
  private fail: (error: Error) => void = () => {};
  /** Rejects when the connection closes. */
  private readonly closed = new Promise<never>((_, reject) => {
    this.fail = reject;
  });

  private constructor(private readonly socket: Socket) {
    this.closed.catch(() => undefined);
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('The broker closed the connection.')));
  }

  static async open(port: number, secret: string): Promise<MqttConnection> {
    const connection = new MqttConnection(connect({ port, host: '127.0.0.1', noDelay: true }));
    const parser = mqtt.parser();
    connection.socket.on('data', (bytes: Buffer) => parser.parse(bytes));
    const connack = new Promise<void>((resolve) => {
      parser.on('packet', (packet) => {
        if (packet.cmd === 'connack' && packet.returnCode === 0) resolve();
        else if (packet.cmd === 'connack') connection.fail(new Error(`The broker refused: ${packet.returnCode}`));
        else if (packet.cmd === 'puback') connection.settle(packet.messageId ?? 0);
      });
    });
    const clientId = secret.slice(-12);
    connection.send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId,
      keepalive: 0,
      username: secret,
    });
    await Promise.race([connack, connection.closed]);
    return connection;
  }

  publish(topic: string, payload: string): Promise<void> {
    this.nextId = (this.nextId % 65_535) + 1;
    const messageId = this.nextId;
    const acknowledgement = new Promise<void>((resolve) => this.pendingMessages.set(messageId, resolve));
    this.send({ cmd: 'publish', topic, payload, qos: 1, dup: false, retain: false, messageId });
    return Promise.race([acknowledgement, this.closed]);
  }

  private send(packet: mqtt.Packet): void {
    this.socket.write(mqtt.generate(packet));
  }

  private settle(messageId: number): void {
    this.pendingMessages.get(messageId)?.();
    this.pendingMessages.delete(messageId);
  }
}
