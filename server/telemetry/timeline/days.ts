/**
 * Daily sums per machine and local day of its location, and the machine's totals. Updated by signed intervals. Days are
 * cut in SQL, whose time zone table also knows their length (23, 24 or 25 h).
 */

import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { dayStartSql } from '../../db/core/dayStartSql';
import type { Segment } from './timeline';
import { isoOfSeconds } from './timeline';

/** Interval of a state that is added to a machine's sums (1) or taken from them (-1). */
export interface SignedInterval extends Pick<Segment, 'from' | 'state' | 'mode'> {
  machineId: number;
  to: number;
  sign: 1 | -1;
}

/** What one message contributes to the daily sums. */
export interface Count {
  machineId: number;
  at: Date;
  area: number;
  distance: number;
  messages: number;
}

/** Time zone of machines without a location. */
export const defaultZone = 'Europe/Berlin';
export const timeZoneSql = (location: SQL): SQL => sql`coalesce(${location}.time_zone, ${sql.raw(`'${defaultZone}'`)})`;

/**
 * SQL: time zone for a row of a client: that of its location if it has one, else that of most of the client's
 * locations. `row` must have `location_id` and `client_id`.
 */
export const clientZoneSql = (
  row: SQL,
): SQL => sql`coalesce((select l.time_zone from locations l where l.id = ${row}.location_id), (
  select l.time_zone from locations l join fleets f on f.id = l.fleet_id where f.client_id = ${row}.client_id
  and l.deleted_at is null group by 1 order by count(*) desc, 1 limit 1
), ${defaultZone})`;

/**
 * SQL: rows `(machine_id, day, state, mode, seconds)` of intervals `(machine_id, from_at, to_at, state, mode, sign)`,
 * cut at local midnights. The series begins a day early, for instants that precede the second midnight of a clock that
 * went back.
 */
export const splitAtMidnightsSql = (intervals: SQL): SQL => sql`
  select p.machine_id, d.day::date as day, p.state, p.mode,
    p.sign * extract(epoch from least(p.to_at, b.end) - greatest(p.from_at, b.start))::int as seconds
  from ${intervals} p
  join machines m on m.id = p.machine_id
  left join locations l on l.id = m.location_id
  cross join lateral (select ${timeZoneSql(sql`l`)} as zone) z
  cross join lateral generate_series(
    date_trunc('day', p.from_at at time zone z.zone) - interval '1 day',
    date_trunc('day', (p.to_at - interval '1 second') at time zone z.zone), interval '1 day') as d(day)
  cross join lateral (select ${dayStartSql(sql`d.day`, sql`z.zone`)} as start,
    ${dayStartSql(sql`(d.day + interval '1 day')`, sql`z.zone`)} as end) b
  where least(p.to_at, b.end) > greatest(p.from_at, b.start)`;

/**
 * SQL: rows `(machine_id, day, cleaning, area_m2, reported_area_m2, is_reported, robotic, manual)`: what counts as
 * cleaned. Reported and entered runs replace the timeline on their days (`server/db/schema/runTriggers.ts`).
 */
export const countedDaysSql = sql`(select machine_id, day, coalesce(run_cleaning, cleaning) as cleaning,
  coalesce(run_area_m2, area_m2) as area_m2, reported_area_m2, run_cleaning is not null as is_reported, robotic, manual
  from machine_days)`;

const sumSecondsSql = (condition: SQL) => sql`coalesce(sum(seconds) filter (where ${condition}), 0)::int`;
/** Columns of `machine_days` that are sums of cut intervals. */
export const daySumsSql = sql`
  ${sumSecondsSql(sql`state = 'Cleaning'`)} as cleaning, ${sumSecondsSql(sql`state = 'Charging'`)} as charging,
  ${sumSecondsSql(sql`state = 'Parked'`)} as parked,
  ${sumSecondsSql(sql`state = 'Online'`)} as online, ${sumSecondsSql(sql`mode = 'robotic'`)} as robotic,
  ${sumSecondsSql(sql`mode = 'manual'`)} as manual, ${sumSecondsSql(sql`mode = 'teaching'`)} as teaching`;

/** Adds intervals and counts to the daily sums, and times to the machines' totals. */
export async function addToDays(
  tx: Queries,
  intervals: readonly SignedInterval[],
  counts: readonly Count[],
): Promise<void> {
  const countedIntervals = intervals.filter(({ state, from, to }) => state !== 'Offline' && to > from);
  if (countedIntervals.length === 0 && counts.length === 0) return;
  await tx.rows(sql`
    with span as (
      select * from unnest(${sql.param(countedIntervals.map(({ machineId }) => machineId))}::int[],
      ${sql.param(countedIntervals.map(({ from }) => isoOfSeconds(from)))}::timestamptz[],
        ${sql.param(countedIntervals.map(({ to }) => isoOfSeconds(to)))}::timestamptz[],
        ${sql.param(countedIntervals.map(({ state }) => state))}::text[],
        ${sql.param(countedIntervals.map(({ mode }) => mode))}::text[],
        ${sql.param(countedIntervals.map(({ sign }) => sign))}::int[]) as
        p(machine_id, from_at, to_at, state, mode, sign)
    ), counted as (
      select c.machine_id, (c.at at time zone ${timeZoneSql(sql`l`)})::date as day, sum(c.area) as area_m2,
      sum(c.distance) as distance_m, sum(c.messages)::int as messages
      from unnest(${sql.param(counts.map(({ machineId }) => machineId))}::int[],
      ${sql.param(counts.map(({ at }) => at.toISOString()))}::timestamptz[],
        ${sql.param(counts.map(({ area }) => area))}::float8[],
        ${sql.param(counts.map(({ distance }) => distance))}::float8[],
        ${sql.param(counts.map(({ messages }) => messages))}::int[]) as c(machine_id, at, area, distance, messages)
      join machines m on m.id = c.machine_id left join locations l on l.id = m.location_id
      group by 1, 2
    ), timed as (
      select machine_id, day, ${daySumsSql} from (${splitAtMidnightsSql(sql`span`)}) daily group by machine_id, day
    ), changed as (
      select machine_id, day, coalesce(cleaning, 0) as cleaning, coalesce(charging, 0) as charging,
      coalesce(parked, 0) as parked, coalesce(online, 0) as online,
        coalesce(robotic, 0) as robotic, coalesce(manual, 0) as manual, coalesce(teaching, 0) as teaching,
        coalesce(area_m2, 0) as area_m2, coalesce(distance_m, 0) as distance_m, coalesce(messages, 0) as messages
      from timed full join counted using (machine_id, day)
    ), stored as (
      insert into machine_days as at (machine_id, day, cleaning, charging, parked, online, robotic, manual, teaching,
      area_m2, distance_m, messages)
      select machine_id, day, cleaning, charging, parked, online, robotic, manual, teaching, area_m2, distance_m,
      messages from changed
      on conflict (machine_id, day) do update set cleaning = at.cleaning + excluded.cleaning,
      charging = at.charging + excluded.charging,
        parked = at.parked + excluded.parked, online = at.online + excluded.online,
        robotic = at.robotic + excluded.robotic, manual = at.manual + excluded.manual,
        teaching = at.teaching + excluded.teaching, area_m2 = at.area_m2 + excluded.area_m2,
        distance_m = at.distance_m + excluded.distance_m,
        messages = at.messages + excluded.messages
    )
    update machines_state s set cleaning_time = s.cleaning_time + d.cleaning, charging_time = s.charging_time +
    d.charging,
      operating_time = s.operating_time + d.operating, robotic_time = s.robotic_time + d.robotic,
      teaching_time = s.teaching_time + d.teaching
    from (select machine_id, sum(cleaning)::int as cleaning, sum(charging)::int as charging, sum(cleaning + online)::int
    as operating,
      sum(robotic)::int as robotic, sum(teaching)::int as teaching from changed group by machine_id) d
    where s.id = d.machine_id`);
}
