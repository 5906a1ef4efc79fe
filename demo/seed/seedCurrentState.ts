/** Generates the current state of the demo's machines, and the tracks of some of them. */
import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../server/db/core/database';
import { type SeedOptions, seededRandomSql } from './seededRandomSql';

/** Number of machines with a track, and days that a track covers. */
const trackedMachines = 40;
const trackDays = 3;

/** SQL: battery percentage at a fraction of a segment; cleaning drains it, charging fills it. */
const batterySql = (state: SQL, share: SQL): SQL =>
  sql`round(case ${state} when 'Cleaning' then 98 - 65 * ${share} when 'Charging' then 33 + 65 * ${share}
    else 98 - 6 * ${share} end)::int`;

/** SQL: position at an offset from the site, along lanes while the machine cleans, otherwise at its dock. */
const positionSql = (id: SQL, state: SQL, instant: SQL): { latitude: SQL; longitude: SQL } => {
  const turn = sql`(extract(epoch from ${instant})::float8 / 600)`;
  const dock = (axis: number) => sql`((${id} * ${sql.raw(String(axis))} % 61) - 30)`;
  const east = sql`(${dock(37)} + case when ${state} = 'Cleaning' then 45 * sin(${turn} * 1.3 + ${id}) else 0 end)`;
  const north = sql`(${dock(53)} + case when ${state} = 'Cleaning' then 28 * sin(${turn} * 3.1 + ${id} * 2) else 0
    end)`;
  return {
    latitude: sql`round((l.latitude + ${north} / 111320.0)::numeric, 6)`,
    longitude: sql`round((l.longitude + ${east} / (111320.0 * cos(radians(l.latitude))))::numeric, 6)`,
  };
};

/**
 * For a few of these machines, inserts observations of the last days that match their segments, up to the first real
 * message.
 */
export async function seedTracks(tx: Queries, ids: readonly number[]): Promise<void> {
  const { latitude, longitude } = positionSql(sql`p.machine_id`, sql`p.state`, sql`p.at`);
  await tx.rows(sql`
    with machine as (
      select w.machine_id, coalesce(latest.at, w.observed_at) as until from (select machine_id, observed_at
      from machine_watch order by machine_id limit ${trackedMachines}::int) w
      cross join lateral (select min(at) as at from observations o where o.machine_id = w.machine_id
      and o.raw_id is not null) latest
      where w.machine_id = any(${sql.param([...ids])}::int[])
    ), stretch as (
      select s.machine_id, s.state, s.mode, s.reason, s.from_at, coalesce(s.to_at, w.until) as to_at, w.until,
        case when s.to_at is null then w.until
          when lead(s.state) over (partition by s.machine_id order by s.from_at) = 'Offline' then s.to_at - interval
          '10 minutes' else s.to_at - interval '1 second' end as last_at
      from segments s join machine w on w.machine_id = s.machine_id
    ), point as (
      select machine_id, state, mode, reason, from_at, to_at, at from stretch, lateral (
        select generate_series(from_at, last_at, case when state = 'Cleaning' then interval '2 minutes'
        else interval '9 minutes' end) as at union select last_at) times
      where state <> 'Offline' and from_at > until - ${trackDays}::int * interval '1 day' and at < until
    )
    insert into observations (machine_id, at, kind, received_at, protocol, state, reason, mode, battery, latitude,
    longitude, speed, heading, area)
    select p.machine_id, p.at, 'message', p.at, 'osmand', p.state, p.reason, p.mode,
      ${batterySql(
        sql`p.state`,
        sql`extract(epoch from p.at - p.from_at)::float8 / greatest(1, extract(epoch
        from p.to_at - p.from_at))`,
      )},
      ${latitude}, ${longitude}, case when p.state = 'Cleaning' then 0.7 else 0 end, p.machine_id * 7 % 360, case
      when p.state = 'Cleaning' then 60 end
    from point p join machines m on m.id = p.machine_id join locations l on l.id = m.location_id
    on conflict do nothing`);
}

/** Inserts the last message of every machine, and stores the state that results from it. */
export async function seedCurrentState(tx: Queries, { seed }: SeedOptions): Promise<void> {
  const { latitude, longitude } = positionSql(sql`w.machine_id`, sql`last.state`, sql`w.observed_at`);
  await tx.rows(sql`
    insert into observations (machine_id, at, kind, received_at, protocol, state, reason, mode, battery, latitude,
    longitude, speed)
    select w.machine_id, w.observed_at, 'message', w.observed_at, 'osmand', last.state, last.reason, last.mode,
      ${batterySql(sql`last.state`, seededRandomSql(seed, sql`w.machine_id`, sql`0`, 13))},
      ${latitude}, ${longitude}, case when last.state = 'Cleaning' then 0.7 else 0 end
    from machine_watch w
    join segments open on open.machine_id = w.machine_id and open.to_at is null
    left join segments before on before.machine_id = w.machine_id and before.to_at = open.from_at
    cross join lateral (select case when open.state = 'Offline' then coalesce(before.state, 'Parked') else open.state
    end as state,
      case when open.state = 'Offline' then coalesce(before.reason, 'parked') else open.reason end as reason,
      case when open.state = 'Offline' then before.mode else open.mode end as mode) last
    join machines m on m.id = w.machine_id join locations l on l.id = m.location_id
    on conflict do nothing`);
  await tx.rows(sql`
    update machines_state s set status = open.state, status_since = open.from_at, mode = open.mode, battery = o.battery,
    latitude = o.latitude, longitude = o.longitude,
      last_seen = w.observed_at, cleaning_time = d.cleaning, charging_time = d.charging, operating_time = d.operating,
      robotic_time = d.robotic, teaching_time = d.teaching
    from machine_watch w
    join segments open on open.machine_id = w.machine_id and open.to_at is null
    join observations o on o.machine_id = w.machine_id and o.at = w.observed_at
    join (select machine_id, sum(cleaning)::int as cleaning, sum(charging)::int as charging, sum(cleaning + online)::int
    as operating, sum(robotic)::int as robotic,
      sum(teaching)::int as teaching from machine_days group by machine_id) d on d.machine_id = w.machine_id
    where s.id = w.machine_id`);
  await tx.rows(sql`
    update trackers_state s set last_seen = w.observed_at from machine_watch w join machines m on m.id = w.machine_id
    where s.id = m.tracker_id`);
}
