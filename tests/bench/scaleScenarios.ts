/** Messages that `npm run bench:scale` sends to the server, and the bars for each. */
import type { LoadJob } from './loadGenerator';
import type { MqttJob } from './mqttLoad';

export interface BenchDevice {
  device: string;
  secret: string;
}

export type DeviceLoad =
  | {
      protocol: 'http';
      /** Number of connections, each with one request at a time. */
      concurrency: number;
      requestOf(device: BenchDevice): LoadJob['requests'][number];
    }
  | ({ protocol: 'mqtt' } & Pick<MqttJob, 'topic' | 'payload' | 'concurrency'>);

export interface ScaleScenario {
  /** What is counted, in the singular, as printed in the table. */
  title: string;
  /** `reporting`: devices that are always online; `returning`: devices that send what they recorded while offline. */
  devices: 'reporting' | 'returning';
  /** Number of devices that send; all by default. */
  senders?: number;
  load: DeviceLoad;
  /** Number of observations per request. */
  observations: number;
  bars: {
    /** Maximum CPU milliseconds of server and PostgreSQL together per observation. */
    cpu?: number;
    /** Minimum acknowledged observations per second. */
    rate?: number;
    /** Minimum rate relative to the same writes as bare SQL, in groups of 200. */
    bareRatio?: number;
  };
}

const batchSize = 500;
const observation = (_: unknown, index: number) =>
  `{"at":%t,"status":"${index % 100 < 60 ? 'cleaning' : 'parked'}","mode":"robotic","battery":${50 + (index % 40)},"latitude":${52.5 + index / 1e5},"longitude":13.4}`;
const batch = `[${Array.from({ length: batchSize }, observation).join(',')}]`;

const batches: DeviceLoad = {
  protocol: 'http',
  concurrency: 4,
  requestOf: ({ secret }) => ({ method: 'POST', path: '/api/v1/ingest', body: batch, token: secret }),
};

/** An OsmAnd message of a device that cleans. */
export const osmAndRequest = ({ device }: BenchDevice): LoadJob['requests'][number] => ({
  method: 'GET',
  path: `/ingest/osmand?id=${device}&timestamp=%p&lat=52.5&lon=13.4&speed=1.2&batt=80&status=cleaning&mode=robotic`,
});

export const scaleScenarios: readonly ScaleScenario[] = [
  {
    title: 'OsmAnd message',
    devices: 'reporting',
    load: {
      protocol: 'http',
      concurrency: 200,
      requestOf: osmAndRequest,
    },
    observations: 1,
    bars: { cpu: 0.35, rate: 5000, bareRatio: 0.4 },
  },
  {
    title: 'MQTT message',
    devices: 'reporting',
    load: {
      protocol: 'mqtt',
      topic: 'v1/devices/me/telemetry',
      concurrency: 200,
      payload: '{"ts":%p,"values":{"status":"cleaning","mode":"robotic","batt":80,"lat":52.5,"lon":13.4,"speed":1.2}}',
    },
    observations: 1,
    bars: { cpu: 0.2 },
  },
  {
    title: `observation in batches of ${batchSize}`,
    devices: 'returning',
    senders: 2000,
    load: batches,
    observations: batchSize,
    bars: { rate: 25_000 },
  },
  // Earlier scenarios have sent present times of these devices, so these observations are late.
  {
    title: `late observation in batches of ${batchSize}`,
    devices: 'reporting',
    senders: 2000,
    load: batches,
    observations: batchSize,
    bars: {},
  },
];

export interface ListenersScenario {
  /** Number of open event streams. */
  streams: number;
  /** OsmAnd messages sent per second; all must be acknowledged. */
  rate: number;
  bars: {
    /** Maximum milliseconds (p95) until a message is acknowledged, and until a page has it. */
    acknowledgement?: number;
    page?: number;
    /** Maximum MB of the server. */
    memory?: number;
    /** Maximum kB per stream. */
    stream?: number;
  };
}

export const listenersScenarios: readonly ListenersScenario[] = [
  { streams: 200, rate: 100, bars: { acknowledgement: 150, memory: 220 } },
  { streams: 1000, rate: 100, bars: { acknowledgement: 150, stream: 50 } },
  { streams: 200, rate: 1000, bars: { page: 400, memory: 220 } },
];
