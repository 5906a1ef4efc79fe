/** Creates a floor with robots, and runs with positions along lanes across the floor. */
import { type SQL, sql } from 'drizzle-orm';
import { randomToken, sha256 } from '../../server/auth/secrets';
import type { Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { add } from '../support/rows';

/** Size of the floor in metres: 8 hours of lanes at half a metre per second with a tool width of 60 cm. */
const floorSize = { width: 61, height: 140 };
const mapId = 'bench-hall';

export interface BenchFloor {
  client: number;
  floor: number;
  zone: number;
  /** Machines, with the secrets of their trackers. */
  robots: { machine: number; secret: string }[];
}

export async function fillFloor(db: Queries, robots: number): Promise<BenchFloor> {
  const client = await add(db, 'clients', { country_id: await add(db, 'countries') });
  const fleet = await add(db, 'fleets', { client_id: client });
  const location = await add(db, 'locations', { fleet_id: fleet });
  const type = await add(db, 'types', { working_width_m: 0.6 });
  const floor = await add(db, 'floors', {
    location_id: location,
    width_m: floorSize.width,
    height_m: floorSize.height,
    maps: [{ map_id: mapId }] as never,
  });
  const rectangle = (left: number, low: number, right: number, high: number) =>
    [
      [left, low],
      [right, low],
      [right, high],
      [left, high],
    ] as never;
  const zone = await add(db, 'zones', { floor_id: floor, polygon: rectangle(0, 0, floorSize.width, floorSize.height) });
  await add(db, 'zones', { floor_id: floor, polygon: rectangle(0, 0, 30, 70) });
  await add(db, 'zones', { floor_id: floor, kind: 'no_go', polygon: rectangle(50, 50, 52, 52) });
  const machines: BenchFloor['robots'] = [];
  for (let count = 0; count < robots; count += 1) {
    const secret = `swt_${randomToken()}`;
    const tracker = await add(db, 'trackers', { tracker_or_serial: `bench-robot-${count}` });
    const machine = await add(db, 'machines', {
      fleet_id: fleet,
      location_id: location,
      type_id: type,
      tracker_id: tracker,
      serial_number: `BENCH-${count}`,
    });
    await db.rows(
      sql`insert into tracker_secrets (tracker_id, hash, created_at) values (${tracker}, ${sha256(secret)}, now())`,
    );
    machines.push({ machine, secret });
  }
  return { client, floor, zone, robots: machines };
}

export interface LaneOptions {
  machine: number;
  floor: number;
  runs: number;
  positions: number;
  /** Seconds and metres between two positions. */
  intervalSeconds: number;
  stepMetres: number;
  /** Start of the first run; each further run starts a day later. */
  from: Date;
}

/** Maximum positions per statement, well below its time limit. */
const maxPositions = 60_000;

/**
 * Inserts reported runs with a position every few seconds. Each run starts on another lane. Resolves to the run ids.
 */
export async function fillRuns(db: Queries, { runs, ...options }: LaneOptions): Promise<number[]> {
  const runsPerBatch = Math.max(1, Math.floor(maxPositions / options.positions));
  const ids: number[] = [];
  for (let firstRun = 0; firstRun < runs; firstRun += runsPerBatch)
    ids.push(
      ...(await fillRange(db, { ...options, first: firstRun, last: Math.min(runs, firstRun + runsPerBatch) - 1 })),
    );
  await db.rows(sql`analyze observations, runs`);
  return ids;
}

type RunRange = Omit<LaneOptions, 'runs'> & { first: number; last: number };

async function fillRange(db: Queries, options: RunRange): Promise<number[]> {
  const { machine, floor, first, last, positions, intervalSeconds, stepMetres, from } = options;
  const laneSteps = Math.floor((floorSize.width - 1) / stepMetres);
  const startSql = sql`(${from.toISOString()}::timestamptz + r * interval '1 day')`;
  const atSql = (index: SQL) => sql`${startSql} + ${index} * ${intervalSeconds}::int * interval '1 second'`;
  const alongSql = sql`(i % ${laneSteps}::int) * ${stepMetres}::float8`;
  const laneSql = sql`(i / ${laneSteps}::int + r * 7)`;
  const jitterSql = sql`(random() - 0.5) * 0.03`;
  await db.rows(sql`
    insert into observations (machine_id, at, kind, received_at, protocol, state, reason, battery, speed, attributes)
    select ${machine}::int, ${atSql(sql`i`)}, 'visualization', now(), 'own', 'Cleaning', 'cleaning', 80, 0.5,
      jsonb_build_object('floor.map_id', ${mapId}::text, 'floor.x',
        0.3 + ${jitterSql} + case when ${laneSql} % 2 = 0 then ${alongSql} else ${laneSteps * stepMetres}::float8 - ${alongSql} end,
        'floor.y', 0.3 + ${jitterSql} + (${laneSql} % ${Math.floor((floorSize.height - 1) / 0.55)}::int) * 0.55)
    from generate_series(${first}::int, ${last}::int) r, generate_series(0, ${positions - 1}::int) i`);
  const rows = await db.select(
    { id: pg.integer },
    sql`insert into runs (machine_id, location_id, floor_id, source, started_at, ended_at, duration_s, cleaned_area_m2)
      select ${machine}::int, f.location_id, f.id, 'reported', ${startSql}, ${atSql(sql`${positions}::int`)},
        ${positions * intervalSeconds}::int, 1000
      from floors f, generate_series(${first}::int, ${last}::int) r where f.id = ${floor}::int order by 5 returning id`,
  );
  return rows.map(({ id }) => id);
}
