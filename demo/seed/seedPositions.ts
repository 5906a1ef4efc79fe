/** Stores positions of a robot during one stretch of cleaning, as its messages would report them. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { forgetCoverage } from '../../server/telemetry/timeline/forgetCoverage';
import { queueRunChanges } from '../../server/telemetry/timeline/queueRunChanges';
import { pointOnMap } from '../floors/cleaningPath';
import type { DemoFloor } from '../floors/floorShapes';
import { planRun, positionsOf } from './planRun';
import type { FloorRobot } from './reportRuns';

interface PositionRequest {
  robot: FloorRobot;
  floor: DemoFloor;
  /** Seconds since 1970. */
  from: number;
  to: number;
}

/** Kind of observation whose state does not count, so that the timeline stays as it is. */
const observationKind = 'visualization';

/** Stores the positions unless there already are some. Returns whether it stored any. */
export async function seedPositions(tx: Queries, { robot, floor, from, to }: PositionRequest): Promise<boolean> {
  const storedPosition = await tx.selectOne(
    { machine_id: pg.integer },
    sql`select machine_id from observations where machine_id = ${robot.id}::int and kind = ${observationKind}
      and at between to_timestamp(${from}::float8) and to_timestamp(${to}::float8) limit 1`,
  );
  if (storedPosition) return false;
  const stretch = { floor, machineId: robot.id, width: robot.width, from, to };
  const positions = positionsOf(planRun(stretch), stretch);
  const mapPositions = positions.map((position) => pointOnMap(position, floor.transformation));
  const [protocol, positionKey, mapKey] =
    robot.role === 'vda' ? ['vda5050', 'agvPosition', 'mapId'] : ['own', 'floor', 'map_id'];
  // Rounds a coordinate in the units of the robot's map to whole millimetres.
  const round = (coordinate: number) =>
    Math.round(coordinate * floor.transformation.scale * 1000) / floor.transformation.scale / 1000;
  await tx.rows(sql`
    insert into observations (machine_id, at, kind, received_at, protocol, state, reason, mode, battery, speed,
      attributes)
    select ${robot.id}::int, to_timestamp(p.at), ${observationKind}, to_timestamp(p.at), ${protocol},
      'Cleaning', 'cleaning', 'robotic', p.battery, p.speed, jsonb_build_object(${`${positionKey}.${mapKey}`}::text,
      ${floor.mapId}::text, ${`${positionKey}.x`}::text, p.x, ${`${positionKey}.y`}::text, p.y,
      ${`${positionKey}.theta`}::text, p.theta)
    from unnest(${sql.param(positions.map(({ at }) => Math.round(at * 1000) / 1000))}::float8[],
      ${sql.param(positions.map(({ battery }) => battery))}::int[],
      ${sql.param(positions.map(({ speed }) => speed))}::float8[],
      ${sql.param(mapPositions.map(({ x }) => round(x)))}::float8[],
      ${sql.param(mapPositions.map(({ y }) => round(y)))}::float8[],
      ${sql.param(mapPositions.map(({ theta }) => Math.round(theta * 1000) / 1000))}::float8[])
      as p(at, battery, speed, x, y, theta)
    on conflict do nothing`);
  const attributes = { [`${positionKey}.x`]: 0 };
  await forgetCoverage(
    tx,
    [from, to].map((time) => ({ machineId: robot.id, at: new Date(time * 1000), attributes })),
  );
  // The floor of a derived run is computed from its positions.
  await queueRunChanges(tx, [{ machineId: robot.id, from, to }]);
  return true;
}
