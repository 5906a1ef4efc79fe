/** Real MQTT clients for tests, as devices would be. */
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';

/** Connects once; rejects when the broker refuses. */
export const device = (port: number, options: IClientOptions = {}): Promise<MqttClient> =>
  connectAsync(`mqtt://127.0.0.1:${port}`, { reconnectPeriod: 0, connectTimeout: 10_000, ...options }, false);

/** Publishes with QoS 1 and resolves with `acknowledged`, or with `closed` when the broker ends the connection instead. */
export function publish(client: MqttClient, topic: string, message: unknown, options: { retain?: boolean } = {}): Promise<'acknowledged' | 'closed'> {
  return new Promise((resolve) => {
    if (!client.connected) return resolve('closed');
    const closed = () => resolve('closed');
    client.setMaxListeners(0).once('close', closed);
    client.publish(topic, typeof message === 'string' ? message : JSON.stringify(message), { qos: 1, ...options }, (error) => {
      client.off('close', closed);
      resolve(error ? 'closed' : 'acknowledged');
    });
  });
}

/** Ends the connection as a lost network does: without a DISCONNECT. */
export const lose = (client: MqttClient): void => {
  client.stream.destroy();
};

let headerId = 0;
/** What every VDA 5050 message begins with. */
export const vdaHeader = (at = new Date()) => {
  headerId += 1;
  return { headerId, timestamp: at.toISOString(), version: '2.1.0', manufacturer: 'ACME', serialNumber: '0001' };
};

/** A VDA 5050 2.1 state with every field that the schema requires. */
export const vdaState = (fields: object = {}, at = new Date()) => ({
  ...vdaHeader(at),
  ...{ orderId: '', orderUpdateId: 0, lastNodeId: '', lastNodeSequenceId: 0, nodeStates: [], edgeStates: [], actionStates: [], errors: [] },
  ...{
    driving: false,
    operatingMode: 'AUTOMATIC',
    batteryState: { batteryCharge: 80, charging: false },
    safetyState: { eStop: 'NONE', fieldViolation: false },
  },
  ...fields,
});
