/**
 * Starts two processes of the product on a primary with a standby and on Mosquitto, each over links of its own that can
 * be cut. Adds devices, and one alert rule per fault.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { seedBase } from '../../server/db/base/seedBase';
import { openDatabase } from '../../server/db/open/openDatabase';
import type { LoadDevice } from './faultLoad';
import { add } from './rows';
import { freePort } from './startCluster';
import { type Link, type LinkState, startLink } from './startLink';
import { type MailServer, startMailServer } from './startMailServer';
import { type Mosquitto, startMosquitto } from './startMosquitto';
import { type PostgresPair, startPostgresPair } from './startPostgresPair';
import { type Server, startServer } from './startServer';
import { areSlotsSubscribed } from './storedMessages';
import { addTrackedMachine, readDeviceId } from './trackedMachine';
import { addWorld } from './world';

export interface ExpectedAlert {
  rule: number;
  ruleName: string;
  device: LoadDevice;
}

export interface FaultSetup {
  pair: PostgresPair;
  broker: Mosquitto;
  mailServer: MailServer;
  /** Addresses of the processes; a restarted process keeps its address. */
  urls: [string, string];
  httpDevices: LoadDevice[];
  mqttDevices: LoadDevice[];
  alerts: ExpectedAlert[];
  kill(process: 0 | 1): Promise<void>;
  /** Restarts a process, as a service manager does. */
  restart(process: 0 | 1): Promise<void>;
  /** Sets the state of all links of a process: to both databases and to the broker. */
  setLinks(process: 0 | 1, state: LinkState): void;
  /** Sets the state of the links of both processes to the broker. */
  setBrokerLinks(state: LinkState): void;
  /** Directs new connections to the current primary and standby. */
  pointLinks(): void;
  output(): string;
  stop(): Promise<void>;
}

export async function startFaultSetup(faults: number): Promise<FaultSetup> {
  const folder = mkdtempSync(join(tmpdir(), 'sweepline-faults-'));
  const [pair, broker, mailServer] = await Promise.all([startPostgresPair(), startMosquitto(), startMailServer()]);
  const rows = await addRows(pair.primary().url, folder, faults);
  const ports = [await freePort(), await freePort()];
  const links = await Promise.all(ports.map(() => startLinks(pair, broker)));

  const start = (index: number): Promise<Server> => {
    const [first, second, mqtt] = links[index] as [Link, Link, Link];
    const hosts = `postgres://postgres@127.0.0.1:${first.port},127.0.0.1:${second.port}/postgres`;
    return startServer({
      fromSources: true,
      port: ports[index],
      dataDir: join(folder, String(index)),
      env: {
        DATABASE_URL: hosts,
        DATABASE_READ_URL: hosts,
        MQTT_URL: `mqtt://127.0.0.1:${mqtt.port}`,
        SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
        RATE_LIMIT: 'off',
        SWEEPLINE_DEMO: '0',
        SWEEPLINE_SECRET: 'a secret that both processes share, long enough',
      },
    });
  };
  const servers = await Promise.all([start(0), start(1)]);
  // Messages sent before the broker has a session for them would be lost.
  while (!(await areSlotsSubscribed(pair.primary().url))) await sleep(50);
  return {
    ...rows,
    pair,
    broker,
    mailServer,
    urls: servers.map(({ url }) => url) as [string, string],
    kill: (index) => (servers[index] as Server).kill(),
    restart: async (index) => {
      servers[index] = await start(index);
    },
    setLinks: (index, state) => {
      for (const link of links[index] ?? []) link.setState(state);
    },
    setBrokerLinks: (state) => {
      for (const [, , link] of links) link?.setState(state);
    },
    pointLinks: () => {
      for (const [first, second] of links) {
        first?.pointTo(pair.primary().port);
        second?.pointTo(pair.replica().port);
      }
    },
    output: () => servers.map((server) => server.output()).join('\n'),
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
      await Promise.all([...links.flat().map((link) => link.close()), broker.stop(), mailServer.close()]);
      await pair.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const startLinks = (pair: PostgresPair, broker: Mosquitto): Promise<Link[]> =>
  Promise.all([pair.primary().port, pair.replica().port, broker.port].map((port) => startLink(port)));

/**
 * Adds machines that send messages and, for each fault, a client with a rule, a machine and an Admin who gets mails.
 */
async function addRows(databaseUrl: string, dataDir: string, faults: number) {
  const db = await openDatabase({ databaseUrl, dataDir, log: pino({ level: 'silent' }) });
  try {
    await seedBase(db);
    const world = await addWorld(db);
    const readDevice = async (machine: number) => ({ machine, id: await readDeviceId(db, machine) });
    const alerts: ExpectedAlert[] = [];
    for (let index = 0; index < faults; index += 1) {
      const client = await add(db, 'clients', { country_id: world.north.country });
      const fleet = await add(db, 'fleets', { client_id: client });
      const { machineId } = await addTrackedMachine(db, fleet);
      const ruleName = `Rule of fault ${String(index).padStart(3, '0')}`;
      const rule = await add(db, 'alert_rules', {
        name: ruleName,
        client_id: client,
        metric: 'error',
        is_active: true,
        user_ids: [world.admin],
      });
      alerts.push({ rule, ruleName, device: await readDevice(machineId) });
    }
    return {
      alerts,
      httpDevices: await Promise.all(world.north.machines.slice(0, 6).map(readDevice)),
      mqttDevices: await Promise.all(world.south.machines.slice(0, 5).map(readDevice)),
    };
  } finally {
    await db.close();
  }
}
