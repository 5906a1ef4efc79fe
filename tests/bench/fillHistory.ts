/**
 * Generates a machine with three years of history in SQL: a state every few minutes, daily sums, a million log entries,
 * and a position every minute of the retention period.
 */
import { sql } from 'drizzle-orm';
import type { Database } from '../../server/db/core/database';
import { maintainPartitions } from '../../server/db/migrations/maintainPartitions';
import { defaultZone } from '../../server/telemetry/timeline/days';
import { recountDays } from '../../server/telemetry/timeline/recountDays';
import { add } from '../support/rows';

export const historyYears = 3;
/** Minutes for which a state lasts. */
const stateMinutes = 3;
const observedDays = 400;

export interface History {
  machine: number;
  /** Number of log entries: changes of state and errors. */
  logs: number;
  segments: number;
  observations: number;
}

/** Creates the machine with its history up to `now`. `logs`: number of log entries, including changes of state. */
export async function fillHistory(db: Database, { now, logs }: { now: Date; logs: number }): Promise<History> {
  const fleet = await add(db, 'fleets', {
    client_id: await add(db, 'clients', { country_id: await add(db, 'countries') }),
  });
  const location = await add(db, 'locations', { fleet_id: fleet });
  const machine = await add(db, 'machines', {
    fleet_id: fleet,
    location_id: location,
    custom_type: 'Scrubber',
    tracker_id: await add(db, 'trackers'),
  });
  const days = historyYears * 365;
  const from = new Date(now.getTime() - days * 86_400_000);
  const start = sql`date_trunc('minute', ${from.toISOString()}::timestamptz)`;
  const segments = Math.floor((days * 1440) / stateMinutes);
  await db.rows(sql`
    insert into segments (machine_id, from_at, to_at, state, mode, reason, reason_at)
    select ${machine}::int, at, case when n < ${segments - 1}::int then at + ${stateMinutes}::int * interval '1 minute' end, (array['Cleaning', 'Online', 'Parked', 'Charging'])[1 + n % 4],
      case when n % 4 = 0 then 'robotic' end, (array['cleaning', 'message', 'parked', 'charging'])[1 + n % 4], at
    from (select n, ${start} + n * ${stateMinutes}::int * interval '1 minute' as at
      from generate_series(0, ${segments - 1}::int) n) state`);
  const lastChange = new Date(
    Math.floor(from.getTime() / 60_000) * 60_000 + (segments - 1) * stateMinutes * 60_000 + 60_000,
  );
  await db.rows(
    sql`insert into machine_watch (machine_id, observed_at, silent_at) values (${machine}, ${lastChange.toISOString()}::timestamptz, ${new Date(lastChange.getTime() + 600_000).toISOString()}::timestamptz)`,
  );
  const errors = logs - segments;
  await db.rows(sql`
    insert into machine_logs (machine_id, at, level, kind, code, message)
    select ${machine}::int, ${start} + n * ((${days}::float8 * 86400 / ${errors}::int) * interval '1 second'), case when n % 3 = 0 then 'warning' else 'error' end, 'error', 'E' || n % 80,
      (array['Squeegee motor blocked', 'Fresh water tank empty', 'Obstacle not passed', 'Localisation lost, "dock" not seen'])[1 + n % 4] || ' (' || n || ')'
    from generate_series(0, ${errors - 1}::int) n`);
  await maintainPartitions(db, 'observations', { since: new Date(now.getTime() - observedDays * 86_400_000), now });
  const minutes = observedDays * 1440;
  await db.rows(sql`
    insert into observations (machine_id, at, kind, received_at, protocol, state, reason, mode, battery, latitude, longitude, speed, heading)
    select ${machine}::int, at, 'message', at, 'osmand', 'Cleaning', 'cleaning', 'robotic', 40 + (n % 60), 53.5 + sin(n / 40.0) / 2000, 10 + cos(n / 40.0) / 2000, 0.7, n % 360
    from (select n, ${lastChange.toISOString()}::timestamptz - n * interval '1 minute' as at
      from generate_series(0, ${minutes - 1}::int) n) message`);
  await db.rows(
    sql`update machines_state set status = 'Cleaning', status_since = ${lastChange.toISOString()}::timestamptz, last_seen = ${lastChange.toISOString()}::timestamptz where id = ${machine}`,
  );
  await recountDays(db, [{ id: machine, zone: defaultZone }]);
  await db.rows(
    sql`update machine_days set area_m2 = cleaning * 0.4, distance_m = cleaning * 0.7, messages = 1440 where machine_id = ${machine}`,
  );
  await db.rows(sql`analyze segments`);
  await db.rows(sql`analyze machine_logs`);
  await db.rows(sql`analyze observations`);
  await db.rows(sql`analyze machine_days`);
  return { machine, logs, segments, observations: minutes };
}
