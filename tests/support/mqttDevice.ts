/** MQTT clients that act as devices. */
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';

/** Connects once; rejects if the broker refuses. */
export const connectDevice = (port: number, options: IClientOptions = {}): Promise<MqttClient> =>
  connectAsync(`mqtt://127.0.0.1:${port}`, { reconnectPeriod: 0, connectTimeout: 10_000, ...options }, false);

/** Publishes with QoS 1. Resolves to `acknowledged`, or `closed` if the broker closes the connection. */
export function publish(
  client: MqttClient,
  topic: string,
  message: unknown,
  options: { retain?: boolean } = {},
): Promise<'acknowledged' | 'closed'> {
  return new Promise((resolve) => {
    if (!client.connected) return resolve('closed');
    const onClose = () => resolve('closed');
    client.setMaxListeners(0).once('close', onClose);
    client.publish(
      topic,
      typeof message === 'string' ? message : JSON.stringify(message),
      { qos: 1, ...options },
      (error) => {
        client.off('close', onClose);
        resolve(error ? 'closed' : 'acknowledged');
      },
    );
  });
}

/** Drops the connection without DISCONNECT, like a failed network. */
export const dropConnection = (client: MqttClient): void => {
  client.stream.destroy();
};

let headerId = 0;
/** Header of every VDA 5050 message. */
export const vdaHeader = (time = new Date()) => {
  headerId += 1;
  return { headerId, timestamp: time.toISOString(), version: '2.1.0', manufacturer: 'ACME', serialNumber: '0001' };
};

/** A VDA 5050 2.1 state with every required field. */
export const vdaState = (fields: object = {}, time = new Date()) => ({
  ...vdaHeader(time),
  orderId: '',
  orderUpdateId: 0,
  lastNodeId: '',
  lastNodeSequenceId: 0,
  nodeStates: [],
  edgeStates: [],
  actionStates: [],
  errors: [],
  driving: false,
  operatingMode: 'AUTOMATIC',
  batteryState: { batteryCharge: 80, charging: false },
  safetyState: { eStop: 'NONE', fieldViolation: false },
  ...fields,
});

/** Encodes a string as in MQTT; accepts raw bytes for invalid ones. */
const encodeText = (value: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
};

/** A raw packet, valid or not (MQTT 3.1.1, 2.2). */
export function buildPacket(firstByte: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const length: number[] = [];
  let remainingLength = body.length;
  do {
    length.push((remainingLength & 127) | (remainingLength > 127 ? 128 : 0));
    remainingLength >>= 7;
  } while (remainingLength > 0);
  return Buffer.concat([Buffer.from([firstByte, ...length]), body]);
}

/** CONNECT of MQTT 3.1.1, or of another protocol level. */
export const connectPacket = (
  username: string,
  { level = 4, clientId = 'raw' }: { level?: number; clientId?: string | Uint8Array } = {},
): Buffer =>
  buildPacket(
    0x10,
    encodeText('MQTT'),
    Buffer.from([level, 0x82, 0, 60]),
    ...(level === 5 ? [Buffer.from([0])] : []),
    encodeText(clientId),
    encodeText(username),
  );

/** PUBLISH with QoS 1. */
export const publishPacket = (topic: string | Uint8Array, body: string | Uint8Array, id = 1): Buffer =>
  buildPacket(0x32, encodeText(topic), Buffer.from([id >> 8, id & 255]), Buffer.from(body as string));
