/**
 * The simulator's machines send by every protocol to a real server over the network, once without faults and once with
 * every fault.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SimulatedMachine } from '../../demo/simulator/advanceMachine';
import { faultNames } from '../../demo/simulator/faults';
import { protocolNames } from '../../demo/simulator/protocols';
import { simulate } from '../../demo/simulator/simulate';
import { randomToken, sha256 } from '../../server/auth/secrets';
import type { Database } from '../../server/db/core/database';
import { pg, type RowOf } from '../../server/db/core/rowShape';
import { areaStep } from '../../server/telemetry/timeline/counters';
import type { CounterMark } from '../../server/telemetry/timeline/neighbours';
import { statelessKinds } from '../../server/telemetry/timeline/observation';
import type { Segment } from '../../server/telemetry/timeline/timeline';
import { openDatabaseCopy, startServerOnCopy } from '../support/serveCopy';
import { root } from '../support/sources';
import { freePort } from '../support/startCluster';
import type { Server } from '../support/startServer';
import { copyWorld, type DatabaseCopy, readWorld } from '../support/startTestApp';
import {
  computeSums,
  computeTimeline,
  computeTimelineOfRows,
  observationRowShape,
  readSums,
  readTimeline,
} from '../support/storedTimeline';
import type { Tenant } from '../support/world';

const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-simulator-'));
const admin = { email: 'admin@example.com', password: 'Long!enough1' };
/** A period of six hours in the past without other messages. */
const periodEnd = new Date(Date.now() - 7_200_000);
let copy: DatabaseCopy;
let server: Server;
let mqttUrl: string;
let faultlessFleet: SimulatedMachine[];
let faultyFleet: SimulatedMachine[];
const machines = new Map<string, number>();

const openCopy = () => openDatabaseCopy(copy, dataDir);
const startOnCopy = () =>
  startServerOnCopy(copy, dataDir, {
    MQTT_PORT: new URL(mqttUrl).port,
    SWEEPLINE_ADMIN_EMAIL: admin.email,
    SWEEPLINE_ADMIN_PASSWORD: admin.password,
  });

beforeAll(async () => {
  copy = await copyWorld(dataDir);
  const db = await openCopy();
  const world = readWorld();
  faultlessFleet = await createFleet(db, world.north, 100);
  faultyFleet = await createFleet(db, world.south, 200);
  await db.close();
  mqttUrl = `mqtt://127.0.0.1:${await freePort()}`;
  server = await startOnCopy();
});
afterAll(async () => {
  await server?.kill();
  await copy?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A machine per protocol. The machines of both tenants are equal except for name and secret. */
async function createFleet(
  db: Database,
  { machines: ids, trackers }: Tenant,
  first: number,
): Promise<SimulatedMachine[]> {
  const fleet: SimulatedMachine[] = [];
  for (const [index, protocol] of protocolNames.entries()) {
    const device = `8650${String(first + index).padStart(11, '0')}`;
    const secret = `swt_${randomToken()}`;
    const tracker = trackers[index] as number;
    await db.rows(sql`update trackers set tracker_or_serial = ${device} where id = ${tracker}`);
    await db.rows(
      sql`insert into tracker_secrets (tracker_id, hash, created_at) values (${tracker}, ${sha256(secret)}, now())`,
    );
    machines.set(device, ids[index] as number);
    const position = { latitude: 53.5, longitude: 10 };
    const state = (['Cleaning', 'Charging', 'Parked'] as const)[index % 3] ?? 'Parked';
    fleet.push({
      device,
      secret,
      protocol,
      state,
      battery: 30 + index * 9,
      ...position,
      dock: position,
      heading: index * 40,
      reportsOften: false,
    });
  }
  return fleet;
}

const rowShape = {
  ...observationRowShape,
  battery: pg.integer.nullable,
  latitude: pg.double.nullable,
  longitude: pg.double.nullable,
  area: pg.double.nullable,
  area_total: pg.double.nullable,
};
type Row = RowOf<typeof rowShape>;

/** Observations of a machine until `end`, by time. */
const readRows = (db: Database, { device }: SimulatedMachine, end: Date = periodEnd): Promise<Row[]> =>
  db.select(
    rowShape,
    sql`
    select at, kind, state, reason, mode, protocol, battery, latitude, longitude, area, area_total from observations
    where machine_id = ${machines.get(device)} and kind <> all(${sql.param([...statelessKinds])}::text[])
      and at <= ${end.toISOString()}::timestamptz order by at`,
  );

const withoutCounters = (rows: readonly Row[]) => rows.map(({ area_total: _, ...rest }) => rest);
const areaOf = (rows: readonly Row[]) =>
  rows.reduce(
    (sum, row, index) =>
      sum +
      (row.area ?? 0) +
      (index === 0 ? 0 : areaStep(rows[index - 1] as unknown as CounterMark, row as unknown as CounterMark)),
    0,
  );
const clipToPeriod = (segments: readonly Segment[]) =>
  segments
    .filter(({ from }) => from * 1000 < periodEnd.getTime())
    .map((segment) =>
      segment.to === null || segment.to * 1000 > periodEnd.getTime() ? { ...segment, to: null } : segment,
    );

test('with any network fault nothing is lost, nothing counts twice, and the timeline is the same', async () => {
  const commonOptions = { url: server.url, mqttUrl, seed: 11, seconds: 2, speed: 10_800, until: periodEnd };
  const withoutFaults = await simulate({ ...commonOptions, fleet: faultlessFleet });
  const withFaults = await simulate({ ...commonOptions, fleet: faultyFleet, faults: faultNames });
  let repeats = 0;
  for (const [protocol, { sent, accepted, refused, unanswered, repeated, corrupted }] of withFaults.counts) {
    const isMqtt = protocol.includes('mqtt') || protocol.startsWith('vda');
    // MQTT acknowledges unreadable messages, since it has no error response.
    expect([protocol, sent - accepted, refused, unanswered]).toEqual([
      protocol,
      isMqtt ? 0 : corrupted,
      isMqtt ? 0 : corrupted,
      0,
    ]);
    repeats += repeated;
  }
  expect(repeats).toBeGreaterThan(0);
  for (const { sent, accepted, repeated, corrupted } of withoutFaults.counts.values())
    expect([accepted, repeated, corrupted]).toEqual([sent, 0, 0]);
  expect(await server.stop()).toBe(0);

  const db = await openCopy();
  try {
    for (const [index, machine] of faultyFleet.entries()) {
      const id = machines.get(machine.device) as number;
      const undeliveredTimes = new Set(
        withFaults
          .undelivered()
          .get(machine.device)
          ?.map((time) => time.getTime()),
      );
      const sentRows = (await readRows(db, faultlessFleet[index] as SimulatedMachine)).filter(
        ({ at }) => !undeliveredTimes.has(at.getTime()),
      );
      const storedRows = await readRows(db, machine);
      expect(sentRows.length).toBeGreaterThan(10);
      // At their own time, only reports that were lost or had a wrong clock are missing; nothing is stored twice.
      expect(withoutCounters(storedRows)).toEqual(withoutCounters(sentRows));
      expect(areaOf(storedRows)).toBeCloseTo(areaOf(sentRows), 6);
      const recomputedTimeline = computeTimelineOfRows(sentRows, { now: new Date(), policies: [] });
      expect(clipToPeriod(await readTimeline(db, id))).toEqual(clipToPeriod(recomputedTimeline));
      // Including messages that count at their time of receipt, the stored timeline follows from all messages.
      expect(await readTimeline(db, id)).toEqual(await computeTimeline(db, id, new Date()));
      expect(await readSums(db, id)).toEqual({
        ...(await computeSums(db, id)),
        area: areaOf(await readRows(db, machine, new Date())),
      });
    }
    const clocks = await db.selectOne(
      { n: pg.integer },
      sql`select count(*)::int as n from machine_logs where kind = 'clock'`,
    );
    expect(clocks?.n).toBeGreaterThan(0);
  } finally {
    await db.close();
  }
  server = await startOnCopy();
});

test('`npm run simulate` runs as a separate process and prints a summary', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...[
        '--import',
        'tsx',
        'demo/simulator/cli.ts',
        '--url',
        server.url,
        '--mqtt-url',
        mqttUrl,
        '--email',
        admin.email,
        '--password',
        admin.password,
      ],
      ...['--machines', '8', '--for', '1s', '--speed', '60', '--faults', 'duplicate,garbage'],
    ],
    { cwd: root },
  );
  expect(stdout).toMatch(/^Simulating 8 machines/);
  for (const protocol of protocolNames) expect(stdout).toMatch(new RegExp(`^${protocol} +1 +[1-9]`, 'm'));
  expect(stdout).toMatch(/^all +8 +\d+/m);
});
