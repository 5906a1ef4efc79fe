/**
 * Kill -9 at any time, then a restart: every acknowledged message and row change is stored exactly once, and so are its
 * notifications.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../demo/seed/random';
import { randomToken, sha256 } from '../../server/auth/secrets';
import { createSession } from '../../server/auth/sessions';
import { pg } from '../../server/db/core/rowShape';
import * as mqtt from '../support/mqttDevice';
import { add } from '../support/rows';
import { openDatabaseCopy, startServerOnCopy } from '../support/serveCopy';
import { freePort } from '../support/startCluster';
import { startMailServer } from '../support/startMailServer';
import { startReceiver, startSilentServer } from '../support/startReceiver';
import type { Server } from '../support/startServer';
import { copyWorld, type DatabaseCopy, readWorld } from '../support/startTestApp';
import { computeSums, computeTimeline, readSums, readTimeline } from '../support/storedTimeline';
import type { World } from '../support/world';

const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-crash-'));
const seed = Date.now() % 1_000_000;
const random = createRandom(seed);
let copy: DatabaseCopy;
let world: World;
let devices: { machine: number; tracker: number; device: string }[];
let port: number;
/** Devices that send over MQTT, by machine. */
const secrets = new Map<number, string>();
let token: string;

const openCopy = () => openDatabaseCopy(copy, dataDir);
const startOnCopy = (env: Record<string, string> = {}) =>
  startServerOnCopy(copy, dataDir, { MQTT_PORT: String(port), ...env });

beforeAll(async () => {
  copy = await copyWorld(dataDir);
  const db = await openCopy();
  world = readWorld();
  devices = await db.select(
    { machine: pg.integer, tracker: pg.integer, device: pg.text },
    sql`
    select m.id as machine, t.id as tracker, t.tracker_or_serial as device from machines m join trackers t on t.id = m.tracker_id where m.id = any(${sql.param(world.north.machines)}::int[]) order by 1`,
  );
  port = await freePort();
  for (const { machine, tracker } of devices.slice(0, 4)) {
    const secret = `swt_${randomToken()}`;
    secrets.set(machine, secret);
    await db.rows(
      sql`insert into tracker_secrets (tracker_id, hash, created_at) values (${tracker}, ${sha256(secret)}, now())`,
    );
  }
  token = await db.transaction((tx) => createSession(tx, world.admin));
  await db.close();
});
afterAll(async () => {
  await copy?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Distinct times in the last hours, long enough ago that the machine has been Offline since. */
const nextTime = (() => {
  let count = 0;
  const start = Date.now();
  return () => start - 1_200_000 - random.between(0, 7200) * 1000 - (count++ % 1000);
})();

/** Sends as one device until the server is killed; sends some messages twice. */
async function send(
  { url }: Server,
  { machine, device }: (typeof devices)[number],
  acknowledgedKeys: Set<string>,
): Promise<void> {
  try {
    for (;;) {
      const time = nextTime();
      const query = new URLSearchParams({
        id: device,
        timestamp: String(time),
        status: random.pick(['cleaning', 'charging', 'parked', 'online']),
        area: '3',
      });
      for (let round = random.chance(0.2) ? 2 : 1; round > 0; round -= 1) {
        const { status } = await fetch(`${url}/ingest/osmand?${query}`);
        if (status === 200) acknowledgedKeys.add(`${machine} ${time}`);
      }
    }
  } catch {
    // The server was killed: the message in flight is not acknowledged.
  }
}

/** As `send`, over MQTT, where a PUBACK acknowledges. */
async function publish({ machine }: (typeof devices)[number], acknowledgedKeys: Set<string>): Promise<void> {
  const client = await mqtt.connectDevice(port, { username: secrets.get(machine) as string }).catch(() => undefined);
  // The server was killed before this client could authenticate.
  if (!client) return;
  client.on('error', () => undefined);
  while (client.connected) {
    const time = nextTime();
    const message = {
      ts: time,
      values: { status: random.pick(['cleaning', 'charging', 'parked', 'online']), area: 3 },
    };
    for (let round = random.chance(0.2) ? 2 : 1; round > 0; round -= 1)
      if ((await mqtt.publish(client, 'v1/devices/me/telemetry', message)) === 'acknowledged')
        acknowledgedKeys.add(`${machine} ${time}`);
  }
  await client.endAsync(true);
}

/**
 * Creates types and renames them until the server is killed. Every other creation has an `Idempotency-Key` and
 * therefore runs in a transaction.
 */
async function write({ url }: Server, nameById: Map<number, string>, writer: string): Promise<void> {
  const call = async (method: 'POST' | 'PATCH', path: string, name: string, headers?: Record<string, string>) => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ name }),
    });
    const { data } = (await response.json()) as { data: { id: number } };
    nameById.set(data.id, name);
    return data.id;
  };
  try {
    for (let count = 0; ; count += 1) {
      const name = `${writer} ${count}`;
      const id = await call('POST', 'types', name, count % 2 ? { 'idempotency-key': name } : {});
      await call('PATCH', `types/${id}`, `${name} renamed`);
    }
  } catch {
    // The server was killed.
  }
}

test(`no acknowledged write is lost or stored twice, over two crashes (seed ${seed})`, async () => {
  const acknowledgedKeys = new Set<string>();
  const nameById = new Map<number, string>();
  const countMqttKeys = () => [...acknowledgedKeys].filter((key) => secrets.has(Number(key.split(' ')[0]))).length;
  for (let round = 0; round < 2; round += 1) {
    const server = await startOnCopy();
    const countBefore = acknowledgedKeys.size;
    const mqttCountBefore = countMqttKeys();
    const nameCountBefore = nameById.size;
    const senders = [
      ...devices.map((device) =>
        secrets.has(device.machine) ? publish(device, acknowledgedKeys) : send(server, device, acknowledgedKeys),
      ),
      ...['a', 'b'].map((writer) => write(server, nameById, `${writer}${round}`)),
    ];
    await expect.poll(() => acknowledgedKeys.size - countBefore, { interval: 5 }).toBeGreaterThan(20);
    await expect.poll(countMqttKeys, { interval: 5 }).toBeGreaterThan(mqttCountBefore);
    await expect.poll(() => nameById.size - nameCountBefore, { interval: 5 }).toBeGreaterThan(5);
    await new Promise((resolve) => setTimeout(resolve, random.between(0, 700)));
    await server.kill();
    await Promise.all(senders);
  }
  const db = await openCopy();
  try {
    const types = new Map(
      (await db.select({ id: pg.integer, name: pg.text }, sql`select id, name from types`)).map(({ id, name }) => [
        id,
        name,
      ]),
    );
    // The server may have stored the last name before it was killed.
    expect([...nameById].filter(([id, name]) => types.get(id) !== name && types.get(id) !== `${name} renamed`)).toEqual(
      [],
    );
    const storedRows = await db.select(
      { machine_id: pg.integer, at: pg.timestamptz },
      sql`select machine_id, at from observations`,
    );
    const storedCounts = new Map<string, number>();
    for (const { machine_id, at } of storedRows)
      storedCounts.set(`${machine_id} ${at.getTime()}`, (storedCounts.get(`${machine_id} ${at.getTime()}`) ?? 0) + 1);
    expect([...acknowledgedKeys].filter((key) => storedCounts.get(key) !== 1)).toEqual([]);
    // In addition, only requests that were in flight when the server was killed: at most one per device and round.
    expect(storedCounts.size - acknowledgedKeys.size).toBeLessThanOrEqual(devices.length * 2);
    for (const { machine } of devices) {
      const segments = await readTimeline(db, machine);
      expect(segments).toEqual(await computeTimeline(db, machine, new Date()));
      for (const [index, { from }] of segments.entries()) if (index > 0) expect(segments[index - 1]?.to).toBe(from);
      expect(segments.at(-1)).toMatchObject({ to: null, state: 'Offline' });
      expect(await readSums(db, machine)).toEqual(await computeSums(db, machine));
    }
  } finally {
    await db.close();
  }
}, 180_000);

test('alert messages whose sender is killed during delivery are sent once on every channel', async () => {
  const { client, users } = world.north;
  const device = devices[5]?.device as string;
  const silentServers = await Promise.all([startSilentServer(), startSilentServer(), startSilentServer()]);
  const [smsPort, webhookPort, mailPort] = silentServers.map((silentServer) => silentServer.port) as [
    number,
    number,
    number,
  ];
  const env = {
    SMS_URL: `http://127.0.0.1:${smsPort}`,
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    WEBHOOK_ALLOW: '127.0.0.1',
  };
  const database = await openCopy();
  await database.rows(sql`update clients set sms_activation = true where id = ${client}`);
  await database.rows(sql`update users set allow_sms = true, phone = '+49 40 1234' where id = ${users.customer_admin}`);
  const recipients = {
    by_email: true,
    by_sms: true,
    webhook_url: `http://127.0.0.1:${webhookPort}`,
    user_ids: [users.customer_admin],
  };
  const rule = await add(database, 'alert_rules', {
    client_id: client,
    metric: 'error',
    is_active: true,
    ...recipients,
  });
  await database.rows(sql`insert into alert_rule_secrets (rule_id, secret) values (${rule}, ${Buffer.from('secret')})`);
  await database.close();

  const killedServer = await startOnCopy(env);
  expect(
    (await fetch(`${killedServer.url}/ingest/osmand?id=${device}&timestamp=${Date.now()}&status=online&error=E-7`))
      .status,
  ).toBe(200);
  await expect
    .poll(() => silentServers.filter((silentServer) => silentServer.connectionCount() > 0).length, { timeout: 60_000 })
    .toBe(silentServers.length);
  await killedServer.kill();
  await Promise.all(silentServers.map((silentServer) => silentServer.close()));

  // The leases of the killed process have expired.
  const databaseBetween = await openCopy();
  const leasedJobs = await databaseBetween.rows(
    sql`update jobs set lease_until = now() where state = 'running' returning coalesce(payload->>'channel', kind) as channel`,
  );
  await databaseBetween.close();
  expect(leasedJobs.map(({ channel }) => channel).sort()).toEqual(['mail', 'sms', 'webhook']);

  const [sms, webhook, mailServer] = await Promise.all([
    startReceiver(smsPort),
    startReceiver(webhookPort),
    startMailServer({ port: mailPort }),
  ]);
  const restartedServer = await startOnCopy(env);
  const countArrivals = () => [sms.requests.length, webhook.requests.length, mailServer.mails.length];
  await expect.poll(countArrivals, { timeout: 60_000 }).toEqual([1, 1, 1]);
  expect(await restartedServer.stop()).toBe(0);
  const finalDatabase = await openCopy();
  const sentJobs = await finalDatabase.select(
    { id: pg.uuid, channel: pg.text, outcome: pg.text },
    sql`select id, coalesce(payload->>'channel', kind) as channel, outcome from jobs order by channel`,
  );
  await finalDatabase.close();
  await Promise.all([sms.close(), webhook.close(), mailServer.close()]);
  expect(sentJobs.map(({ channel, outcome }) => [channel, outcome])).toEqual([
    ['email', 'sent'],
    ['mail', 'sent'],
    ['sms', 'sent'],
    ['webhook', 'sent'],
  ]);
  expect(countArrivals()).toEqual([1, 1, 1]);
  expect(webhook.requests[0]?.headers['webhook-id']).toBe(sentJobs[3]?.id);
}, 180_000);
