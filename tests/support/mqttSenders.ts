/** Devices that send continuously by MQTT, and the expectation that each acknowledged message is stored once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import { expect } from 'vitest';
import { randomToken, sha256 } from '../../server/auth/secrets';
import type { Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';

export interface MqttSender {
  machine: number;
  client: MqttClient;
  sent: number;
  acknowledged: number;
  /** Reason codes of the DISCONNECT packets that it received. */
  reasons: (number | undefined)[];
}

/** Connects a device. When it loses its broker, it reconnects and resends messages that were not acknowledged. */
export async function connectSender(
  db: Queries,
  { machine, tracker }: { machine: number; tracker: number },
  options: IClientOptions,
): Promise<MqttSender> {
  const secret = `swt_${randomToken()}`;
  await db.rows(
    sql`insert into tracker_secrets (tracker_id, hash, created_at) values (${tracker}, ${sha256(secret)}, now())`,
  );
  const client = connect({ username: secret, reconnectPeriod: 50, ...options });
  const sender: MqttSender = { machine, client, sent: 0, acknowledged: 0, reasons: [] };
  client.on('error', () => undefined).on('disconnect', ({ reasonCode }) => sender.reasons.push(reasonCode));
  return sender;
}

/** Square metres in each message. */
const area = 3;

/** Lets all devices send until `stop` is called. Each waits for the acknowledgement of its previous message. */
export function startSending(senders: readonly MqttSender[]) {
  const startTime = Date.now() - 3_600_000;
  let isDone = false;
  const loops = senders.map(async (sender) => {
    while (!isDone) {
      const message = { ts: startTime + sender.sent * 1000, values: { status: 'cleaning', area } };
      sender.sent += 1;
      await sender.client.publishAsync('v1/devices/me/telemetry', JSON.stringify(message), { qos: 1 });
      sender.acknowledged += 1;
      await sleep(10);
    }
  });
  return {
    /** Resolves when each device has had five more messages acknowledged. */
    async expectProgress(): Promise<void> {
      const countsBefore = senders.map(({ acknowledged }) => acknowledged);
      const countWaiting = () =>
        senders.filter(({ acknowledged }, index) => acknowledged < (countsBefore[index] as number) + 5).length;
      await expect.poll(countWaiting, { interval: 20 }).toBe(0);
    },
    /** Resolves when every message is acknowledged and all devices are disconnected. */
    async stop(): Promise<void> {
      isDone = true;
      await Promise.all(loops);
      await Promise.all(senders.map(({ client }) => client.endAsync()));
    },
  };
}

/** Expects every acknowledged message to be stored and counted once. */
export async function expectStoredOnce(db: Queries, senders: readonly MqttSender[]): Promise<void> {
  const machines = senders.map(({ machine }) => machine);
  const rows = await db.select(
    { machine: pg.integer, observations: pg.integer, messages: pg.integer, area: pg.double },
    sql`
    select machine_id as machine, count(*)::int as observations,
      (select sum(messages)::int from machine_days d where d.machine_id = o.machine_id) as messages,
      (select sum(area_m2)::float8 from machine_days d where d.machine_id = o.machine_id) as area
    from observations o where machine_id = any(${sql.param(machines)}::int[]) group by machine_id order by machine_id`,
  );
  expect(rows).toEqual(
    [...senders]
      .sort((a, b) => a.machine - b.machine)
      .map(({ machine, acknowledged: count }) => ({
        machine,
        observations: count,
        messages: count,
        area: area * count,
      })),
  );
}
