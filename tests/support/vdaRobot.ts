/**
 * A VDA 5050 robot over MQTT. Its own clock advances by half a second per state and never runs ahead of the real time.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { connectDevice, publish, vdaState } from './mqttDevice';
import type { Visitor } from './visit';

interface VdaRobotOptions {
  /** Port of the broker. */
  port: number;
  /** Id of the machine, and the device id of its tracker. */
  machine: number;
  serial: string;
}

export interface VdaRobot {
  /** Sends a state. Resolves as soon as the server has stored it. */
  send(fields: object): Promise<void>;
  close(): Promise<void>;
}

const stepMs = 500;

/** Connects the robot of a machine. Its clock starts at the current time. */
export async function connectVdaRobot(
  { api }: Pick<Visitor, 'api'>,
  { port, machine, serial }: VdaRobotOptions,
): Promise<VdaRobot> {
  const { data } = await api<{ data: { tracker_id: number } }>('GET', `machines/${machine}`);
  const { secret } = (await api<{ data: { secret: string } }>('POST', `trackers/${data.tracker_id}/secret`)).data;
  const client = await connectDevice(port, { username: secret });
  let nextTime = Date.now();
  return {
    async send(fields) {
      const time = nextTime;
      nextTime += stepMs;
      await wait(Math.max(0, time - Date.now()));
      const state = vdaState({ manufacturer: 'ACME', serialNumber: serial, ...fields }, new Date(time));
      const response = await publish(client, `uagv/v2/ACME/${serial}/state`, state);
      if (response !== 'acknowledged') throw new Error(`The state of ${serial} was refused.`);
    },
    close: () => client.endAsync(true),
  };
}

/** State fields of an order that cleans: while it runs, or after its end. */
export const cleaningOrder = (orderId: string, actionStatus: 'RUNNING' | 'FINISHED') => ({
  orderId,
  driving: actionStatus === 'RUNNING',
  nodeStates: actionStatus === 'RUNNING' ? [{ nodeId: 'end', sequenceId: 2, released: true }] : [],
  actionStates: [{ actionId: 'a', actionType: 'clean', actionStatus }],
});
