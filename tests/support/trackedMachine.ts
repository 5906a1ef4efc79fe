/** Machines with their trackers, as devices identify them. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { add } from './rows';
import type { TestApp, TestResponse } from './startTestApp';
import type { World } from './world';

export interface TrackedMachine {
  machine: number;
  tracker: number;
  deviceId: string;
  secret: string;
}

/** A machine of the test data by position: first all of the north, then all of the south, then from the start again. */
export async function prepareTrackedMachine(app: TestApp, world: World, position: number): Promise<TrackedMachine> {
  const machines = [...world.north.machines, ...world.south.machines];
  const trackers = [...world.north.trackers, ...world.south.trackers];
  const index = position % machines.length;
  const [machine, tracker] = [machines[index] as number, trackers[index] as number];
  return {
    machine,
    tracker,
    deviceId: await readDeviceId(app.db, machine),
    secret: await replaceSecret(app, world.admin, tracker),
  };
}

/** Device id of a machine's tracker. */
export async function readDeviceId(db: Queries, machine: number): Promise<string> {
  const row = await db.selectOne(
    { id: pg.text },
    sql`
      select t.tracker_or_serial as id
      from trackers t
      join machines m on m.tracker_id = t.id
      where m.id = ${machine}
    `,
  );
  if (!row) throw new Error(`Machine ${machine} has no tracker.`);
  return row.id;
}

/** Gives a tracker a new secret; the former one expires. */
export async function replaceSecret(app: TestApp, admin: number, tracker: number): Promise<string> {
  const { body } = await app.call<{ data: { secret: string } }>(admin, 'POST', `trackers/${tracker}/secret`);
  return body.data.secret;
}

/** Sends a batch of messages as a tracker does, or a request body as it is. */
export const sendBatch = <T>(
  app: TestApp,
  secret: string,
  body: string | object,
  extraHeaders: Record<string, string> = {},
): Promise<TestResponse<T>> =>
  app.call<T>(undefined, 'POST', 'ingest', typeof body === 'string' ? body : JSON.stringify(body), {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    ...extraHeaders,
  });

/** Number of stored observations of a machine. */
export const countObservations = async (db: Queries, machine: number): Promise<number | undefined> =>
  (
    await db.selectOne(
      { n: pg.integer },
      sql`select count(*)::int as n from observations where machine_id = ${machine}`,
    )
  )?.n;

/** Inserts a fleet with its own client in its own country. */
export const addFleet = async (db: Queries): Promise<number> =>
  add(db, 'fleets', { client_id: await add(db, 'clients', { country_id: await add(db, 'countries') }) });

/** Inserts a machine with a tracker. */
export async function addTrackedMachine(
  db: Queries,
  fleet: number,
  location?: number,
): Promise<{ machineId: number; trackerId: number }> {
  const trackerId = await add(db, 'trackers');
  const machineId = await add(db, 'machines', {
    fleet_id: fleet,
    location_id: location,
    custom_type: 'Scrubber',
    tracker_id: trackerId,
  });
  return { machineId, trackerId };
}
