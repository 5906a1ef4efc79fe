/**
 * Seeds the floors of three demo locations and the runs of their robots: piece by piece while the server runs, or all
 * at once. The data itself shows what is missing, so the work resumes after a crash.
 */
import { sql } from 'drizzle-orm';
import { polygonArea } from '../../schema/dsl/polygons';
import type { Database, Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { tryAdvisoryLock } from '../../server/db/core/tryAdvisoryLock';
import { queueRunChanges } from '../../server/telemetry/timeline/queueRunChanges';
import { cornersOf } from '../floors/cleaningPath';
import { drawFloor } from '../floors/drawFloor';
import { demoFloors } from '../floors/floorPlans';
import type { DemoFloor } from '../floors/floorShapes';
import { insertRows, newIds } from './load';
import { seedMachineHistory } from './olderHistory';
import { demoLogins } from './people';
import { type FloorRobot, reportRuns } from './reportRuns';
import { seedPositions } from './seedPositions';

export interface FloorSeedOptions {
  seed?: number;
  now?: Date;
}

const day = 86_400_000;
/** Days covered by runs, and by positions. */
const runDays = 30;
const positionDays = 3;
/** Seconds of the shortest cleaning that a maker would report. */
const shortestRun = 1200;

/**
 * Adds the next missing piece: a floor with its runs, or the positions of one run. Returns whether it added one. Adds
 * none if none is missing, or if another process is doing the work.
 */
export function seedFloorPiece(db: Database, options: FloorSeedOptions = {}): Promise<boolean> {
  return db.transaction(async (tx) => {
    return (await tryAdvisoryLock(tx, 'demoHistory')) && seedNextPiece(tx, options);
  });
}

/** Adds all missing pieces in the transaction of the caller. */
export async function seedAllFloors(tx: Queries, options: FloorSeedOptions): Promise<void> {
  while (await seedNextPiece(tx, options));
}

async function seedNextPiece(tx: Queries, { seed = 1, now = new Date() }: FloorSeedOptions): Promise<boolean> {
  const storedFloors = await tx.select(
    { map: pg.text, id: pg.integer, location: pg.integer },
    sql`select maps->0->>'map_id' as map, id, location_id as location from floors
      where maps->0->>'map_id' = any(${sql.param(demoFloors.map(({ mapId }) => mapId))}::text[]) order by id`,
  );
  for (const floor of demoFloors) {
    if (storedFloors.some(({ map }) => map === floor.mapId)) continue;
    const site = await findSite(tx, floor);
    if (!site) continue;
    await seedFloor(tx, { floor, site, seed, now });
    return true;
  }
  for (const { map, location } of storedFloors) {
    const floor = demoFloors.find(({ mapId }) => mapId === map) as DemoFloor;
    const robots = (await robotsAt(tx, location, floor)).filter(({ role }) => role !== 'gausium' && role !== 'pudu');
    const stretches = await readStretches(tx, robots, new Date(now.getTime() - positionDays * day));
    for (const stretch of stretches) {
      const robot = robots.find(({ id }) => id === stretch.machineId) as FloorRobot;
      if (await seedPositions(tx, { ...stretch, floor, robot })) return true;
    }
  }
  return false;
}

interface DemoSite {
  location: number;
  client: number;
}

const loginOf = (role: string) => demoLogins.find((login) => login.role === role)?.email ?? '';

/**
 * Finds a location of the demo logins' client with reporting machines and without floors. Prefers those with a machine
 * of the Operator, with a suitable name, and in the scope of the Site Manager.
 */
async function findSite(tx: Queries, { sites }: DemoFloor): Promise<DemoSite | undefined> {
  return tx.selectOne(
    { location: pg.integer, client: pg.integer },
    sql`
    select l.id as location, f.client_id as client from users u join fleets f on f.client_id = u.client_id
    join locations l on l.fleet_id = f.id
    cross join lateral (
      select count(*) as n, bool_or(is_operators) as is_operators from (${robotsSql(sql`l.id`)}) robot
    ) r
    where u.email = ${loginOf('Customer Admin')} and r.n > 0
      and not exists (select from floors other where other.location_id = l.id)
    order by r.n desc, r.is_operators desc, l.name ~* ${sites.source} desc,
      exists (select from users manager left join users_fleets uf on uf.users_id = manager.id
        left join users_locations ul on ul.users_id = manager.id
        where manager.email = ${loginOf('Site Manager')} and (uf.fleets_id = f.id or ul.locations_id = l.id)) desc,
      l.id limit 1`,
  );
}

/** SQL: reporting machines, one per robot of the floor; prefers machines of the demo's Operator, then scrubbers. */
const robotsSql = (location: ReturnType<typeof sql>) => sql`
  select m.id, m.serial_number as serial, t.working_width_m as width, exists (
    select from users_machines um join users u on u.id = um.users_id
    where um.machines_id = m.id and u.email = ${loginOf('Operator')}) as is_operators
  from machines m join segments s on s.machine_id = m.id and s.to_at is null and s.state <> 'Offline'
  join types t on t.id = m.type_id
  where m.location_id = ${location} and m.stock_state = 'deployed' and not m.is_dummy and m.tracker_id is not null
    and m.deleted_at is null and m.created_at < now() - ${runDays}::int * interval '1 day'
  order by is_operators desc, t.name like 'Aquila %' desc, m.id limit 2`;

async function robotsAt(tx: Queries, location: number, floor: DemoFloor): Promise<FloorRobot[]> {
  const rows = await tx.select(
    { id: pg.integer, serial: pg.text, width: pg.double },
    sql`select id, serial, width from (${robotsSql(sql`${location}::int`)}) robot`,
  );
  return rows.map((row, nth) => ({ ...row, role: floor.robots[nth] ?? 'batch' }));
}

interface Stretch {
  machineId: number;
  /** Seconds since 1970. */
  from: number;
  to: number;
}

/** Reads completed stretches of cleaning that began after `since`, at the current location of the machines. */
const readStretches = (tx: Queries, robots: readonly FloorRobot[], since: Date): Promise<Stretch[]> =>
  tx.select(
    { machineId: pg.integer, from: pg.double, to: pg.double },
    sql`
    select s.machine_id as "machineId", extract(epoch from s.from_at)::float8 as "from",
      extract(epoch from s.to_at)::float8 as "to"
    from segments s join machine_stays st on st.machine_id = s.machine_id and st.to_at is null
      and st.from_at <= s.from_at
    where s.machine_id = any(${sql.param(robots.map(({ id }) => id))}::int[]) and s.state = 'Cleaning'
      and s.to_at is not null and s.from_at > ${since.toISOString()}::timestamptz
      and s.to_at - s.from_at >= ${shortestRun}::int * interval '1 second'
    order by s.machine_id, s.from_at`,
  );

async function seedFloor(
  tx: Queries,
  { floor, site, seed, now }: { floor: DemoFloor; site: DemoSite; seed: number; now: Date },
): Promise<void> {
  const [id] = (await newIds(tx, 'floors', 1)) as [number];
  const { bytes, width, height } = await drawFloor(floor);
  const { name, level, mapId, transformation } = floor;
  await insertRows(
    tx,
    'floors',
    {
      id: 'int',
      name: 'text',
      level: 'int',
      location_id: 'int',
      width_m: 'float8',
      height_m: 'float8',
      plan: 'text',
      maps: 'jsonb',
    },
    [
      {
        ...{ id, name, level, location_id: site.location, width_m: floor.width, height_m: floor.height },
        ...{ plan: `${width} × ${height} px`, maps: [{ map_id: mapId, transformation }] },
      },
    ],
  );
  const file = {
    name: `floors/${id}`,
    media_type: 'image/png',
    size: bytes.length,
    bytes: `\\x${bytes.toString('hex')}`,
  };
  await insertRows(tx, 'files', { name: 'text', media_type: 'text', size: 'int', bytes: 'bytea' }, [file]);
  const zoneIds = await newIds(tx, 'zones', floor.zones.length);
  await insertRows(
    tx,
    'zones',
    { id: 'int', name: 'text', floor_id: 'int', kind: 'text', every_days: 'int', polygon: 'jsonb', area_m2: 'float8' },
    floor.zones.map(({ at, name: zone, kind, every_days }, nth) => ({
      ...{ id: zoneIds[nth], name: zone, floor_id: id, kind, every_days },
      ...{ polygon: cornersOf(at), area_m2: polygonArea(cornersOf(at)) },
    })),
  );
  const robots = await robotsAt(tx, site.location, floor);
  await seedMachineHistory(tx, { seed, ids: robots.map((robot) => robot.id) });
  const stretches = await readStretches(tx, robots, new Date(now.getTime() - runDays * day));
  for (const robot of robots) {
    const ownStretches = stretches.filter(({ machineId }) => machineId === robot.id);
    if (ownStretches.length === 0) continue;
    await reportRuns(tx, { ...site, floor, floorId: id, robot, stretches: ownStretches, now });
    await queueRunChanges(tx, [
      { machineId: robot.id, from: ownStretches[0]?.from ?? 0, to: ownStretches.at(-1)?.to ?? 0 },
    ]);
  }
}
