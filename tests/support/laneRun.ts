/** Runs along a lane on a floor whose robot map is `hall`, for tests about zones. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../server/db/core/database';
import { add } from './rows';

/** Polygon of a zone 10 m wide that starts at `y` and is `height` high. */
export const stripZone = (y: number, height: number) =>
  [
    [0, y],
    [10, y],
    [10, y + height],
    [0, y + height],
  ] as never;

interface LaneRun {
  machine: number;
  location: number;
  floor: number | null;
  /** Start of the run. */
  at: Date;
  /** Y coordinate of the lane on which the tool's centre moves; absent if positions are unknown. */
  y?: number;
}

/** Adds a run of 20 seconds that moves 10 m along the lane, with a position every second. */
export async function addLaneRun(db: Queries, { machine, location, floor, at, y }: LaneRun): Promise<void> {
  const instantAt = (second: number) => new Date(at.getTime() + second * 1000).toISOString();
  if (y !== undefined) {
    const rows = JSON.stringify(
      Array.from({ length: 21 }, (_, step) => ({
        at: instantAt(step),
        attributes: { 'floor.map_id': 'hall', 'floor.x': step / 2, 'floor.y': y },
      })),
    );
    await db.rows(sql`
      insert into observations (machine_id, at, kind, received_at, protocol, state, reason, attributes)
      select ${machine}::int, p.at, 'report', p.at, 'own', 'Cleaning', 'cleaning', p.attributes
      from jsonb_to_recordset(${rows}::text::jsonb) as p(at timestamptz, attributes jsonb)`);
  }
  await add(db, 'runs', {
    machine_id: machine,
    location_id: location,
    floor_id: floor,
    source: 'reported',
    started_at: instantAt(0),
    ended_at: instantAt(20),
    duration_s: 20,
  });
}
