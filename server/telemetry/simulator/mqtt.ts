/** Machines of the simulator that speak over MQTT, each with a connection and a secret of its own: half of them VDA 5050, half ThingsBoard. */
import type { MqttClient } from 'mqtt';
import type { Simulated } from './machine';

/** Metres per second while driving. */
const pace = 0.8;

export interface Voices {
  /** Resolves when the broker has acknowledged the message. */
  say(machine: Simulated, secret: string, at: Date): Promise<void>;
  /** Takes leave of the broker. */
  stop(): Promise<void>;
}

export async function openVoices(url: string): Promise<Voices> {
  const { connectAsync } = await import('mqtt');
  const clients = new Map<string, Promise<MqttClient>>();

  async function join(machine: Simulated, secret: string): Promise<MqttClient> {
    const topic = vehicle(machine, 'connection');
    const connection = (connectionState: string) => JSON.stringify({ ...header(new Date(), machine), connectionState });
    const will = { topic, payload: Buffer.from(connection('CONNECTIONBROKEN')), qos: 1 as const, retain: true };
    const client = await connectAsync(url, { username: secret, ...(isVehicle(machine) && { will }) });
    // It connects anew by itself.
    client.on('error', () => undefined);
    if (isVehicle(machine)) await client.publishAsync(topic, connection('ONLINE'), { qos: 1, retain: true });
    return client;
  }

  return {
    async say(machine, secret, at) {
      const joined = clients.get(machine.device) ?? join(machine, secret);
      clients.set(machine.device, joined);
      joined.catch(() => clients.delete(machine.device));
      const [topic, message] = isVehicle(machine) ? [vehicle(machine, 'state'), stateOf(machine, at)] : ['v1/devices/me/telemetry', telemetryOf(machine, at)];
      await (await joined).publishAsync(topic, JSON.stringify(message), { qos: 1 });
    },
    async stop() {
      const open = await Promise.allSettled(clients.values());
      await Promise.all(open.map((result) => result.status === 'fulfilled' && result.value.endAsync()));
    },
  };
}

const isVehicle = ({ device }: Simulated): boolean => Number(device.at(-1)) % 2 === 0;
const vehicle = ({ device }: Simulated, topic: string) => `uagv/v2/Sweepline/${device}/${topic}`;

let headerId = 0;
function header(at: Date, { device }: Simulated) {
  headerId += 1;
  return { headerId, timestamp: at.toISOString(), version: '2.1.0', manufacturer: 'Sweepline', serialNumber: device };
}

/** A VDA 5050 2.1 state. */
function stateOf(machine: Simulated, at: Date): unknown {
  const { state, battery, latitude, longitude } = machine;
  const cleaning = state === 'Cleaning';
  return {
    ...header(at, machine),
    ...{
      orderId: cleaning ? `clean-${at.toISOString().slice(0, 10)}` : '',
      orderUpdateId: 0,
      lastNodeId: '',
      lastNodeSequenceId: 0,
      nodeStates: [],
      edgeStates: [],
    },
    ...{ driving: cleaning, operatingMode: 'AUTOMATIC', errors: [], safetyState: { eStop: 'NONE', fieldViolation: false } },
    actionStates: cleaning ? [{ actionId: 'a1', actionType: 'startCleaning', actionStatus: 'RUNNING' }] : [],
    batteryState: { batteryCharge: Math.round(battery), charging: state === 'Charging' },
    velocity: { vx: cleaning ? pace : 0, vy: 0, omega: 0 },
    latitude,
    longitude,
    ...(cleaning ? { area: 10 } : {}),
  };
}

function telemetryOf({ state, battery, latitude, longitude, heading }: Simulated, at: Date): unknown {
  const cleaning = state === 'Cleaning';
  const values = { status: state.toLowerCase(), battery: Math.round(battery), latitude, longitude, heading: Math.round(heading), speed: cleaning ? pace : 0 };
  return { ts: at.getTime(), values: { ...values, ...(cleaning ? { mode: 'robotic', area: 10 } : {}) } };
}
