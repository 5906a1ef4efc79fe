/**
 * Generates the history of the demo's machines: they clean in shifts, charge, park, and sometimes fall silent. Uses SQL
 * because of the number of rows.
 */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../server/db/core/database';
import { daySumsSql, timeZoneSql } from '../../server/telemetry/timeline/days';
import { dayWorkSql } from './olderHistory';
import { seedCurrentState } from './seedCurrentState';
import { type SeedOptions, seededRandomSql } from './seededRandomSql';
import { insertSegmentsSql, shiftEventsSql, shiftHoursSql, splitAtNightsSql } from './shifts';

/**
 * Inserts segments, daily sums, errors, last messages and the current state of every deployed machine with a tracker.
 */
export async function seedHistory(tx: Queries, options: SeedOptions): Promise<void> {
  await seedSegments(tx, options);
  await seedWatches(tx, options);
  // Without statistics for these new tables, the planner would join them row by row.
  await tx.rows(sql`analyze machines, locations, segments, machine_watch`);
  await seedDays(tx);
  await seedErrors(tx, options);
  await tx.rows(sql`analyze observations, machine_days, machines_state`);
  await seedCurrentState(tx, options);
}

async function seedSegments(tx: Queries, { seed, days, now }: SeedOptions): Promise<void> {
  const machineRoll = (purpose: number) => seededRandomSql(seed, sql`m.id`, sql`0`, purpose);
  const nowSql = sql`${now.toISOString()}::timestamptz`;
  await tx.rows(sql`
    with machine as (
      select m.id, z.zone, z.today as day, h.hours as shift, 0 as counted, null::timestamptz as until,
        greatest(date_trunc('second', m.created_at), (z.today - ${days}::int * interval '1 day' + h.hours) at time zone
        z.zone) as begin,
        case when ${machineRoll(2)} < 0.06 and m.created_at < ${nowSql} - interval '5 days'
          then date_trunc('second', ${nowSql} - ${machineRoll(3)} * interval '3 days' - interval '1 hour')
            end as vanished
      from machines m left join locations l on l.id = m.location_id
      cross join lateral (select ${timeZoneSql(sql`l`)} as zone, date_trunc('day', ${nowSql} at time zone
        ${timeZoneSql(sql`l`)})
      as today) z
      cross join lateral (select ${shiftHoursSql(seed)} as hours) h
      where m.stock_state = 'deployed' and m.tracker_id is not null
    ), ${shiftEventsSql(seed, sql`generate_series(0, ${days}::int)`)}
    ${insertSegmentsSql} where at < coalesce(vanished, ${nowSql} - interval '6 minutes')`);
}

/**
 * Inserts when each machine last sent a message: within the last five minutes or, if it fell silent, ten minutes before
 * it went Offline.
 */
async function seedWatches(tx: Queries, { seed, now }: SeedOptions): Promise<void> {
  await tx.rows(sql`
    insert into machine_watch (machine_id, observed_at, silent_at)
    select machine_id, case when state = 'Offline' then reason_at else at end, case when state = 'Offline' then null
    else at + interval '10 minutes' end
    from segments, lateral (
      select date_trunc('second', ${now.toISOString()}::timestamptz -
        ${seededRandomSql(seed, sql`machine_id`, sql`0`, 10)} * interval '5 minutes') as at) message
    where to_at is null`);
}

async function seedDays(tx: Queries): Promise<void> {
  await tx.rows(sql`
    with piece as (
      select machine_id, from_at, coalesce(to_at, observed_at) as to_at, state, mode, 1 as sign from segments
      join machine_watch using (machine_id) where state <> 'Offline'
    ), day as (
      select machine_id, day, ${daySumsSql} from (${splitAtNightsSql(sql`piece`)}) cut group by machine_id, day
    )
    insert into machine_days (machine_id, day, cleaning, charging, parked, online, robotic, manual, teaching, area_m2,
    distance_m, messages)
    select machine_id, day, cleaning, charging, parked, online, robotic, manual, teaching, ${dayWorkSql(sql`day`)}
    from day`);
}

/** Inserts a few errors of the last week. Changes of state need no entries, because the segments contain them. */
async function seedErrors(tx: Queries, { seed, now }: SeedOptions): Promise<void> {
  const roll = (purpose: number) => seededRandomSql(seed, sql`machine_id`, sql`extract(epoch from from_at)`, purpose);
  await tx.rows(sql`
    insert into machine_logs (machine_id, at, level, kind, code, message)
    select machine_id, from_at + (to_at - from_at) / 2, 'error', 'error', (array['E12', 'E31', 'E47', 'E80'])[pick],
      (array['Squeegee motor blocked', 'Fresh water tank empty', 'Obstacle not passed', 'Localisation lost'])[pick]
    from segments, lateral (select 1 + floor(${roll(11)} * 4)::int as pick) error
    where from_at > ${now.toISOString()}::timestamptz - interval '7 days' and to_at is not null and state = 'Cleaning'
    and ${roll(12)} < 0.06
    order by from_at`);
}
