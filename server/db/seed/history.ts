/** What the demo's machines have done: they clean in shifts, charge, park, sometimes vanish. Made in SQL, because it is many rows. */
import { sql } from 'drizzle-orm';
import { cutAtMidnights, daySums, zoneOf } from '../../telemetry/days';
import type { Queries } from '../database';
import { chance, type Making } from './chance';
import { makePresent, makeTracks } from './present';

/** Segments, daily sums, errors, last messages and the present state of every deployed machine that has a tracker. */
export async function makeHistory(tx: Queries, making: Making): Promise<void> {
  await makeSegments(tx, making);
  await makeWatch(tx, making);
  // Without figures about tables this new the planner joins them row by row.
  await tx.rows(sql`analyze machines, locations, segments, machine_watch`);
  await makeDays(tx);
  await makeErrors(tx, making);
  await makeTracks(tx, making);
  await tx.rows(sql`analyze observations, machine_days, machines_state`);
  await makePresent(tx, making);
}

async function makeSegments(tx: Queries, { seed, days, now }: Making): Promise<void> {
  const roll = (purpose: number) => chance(seed, sql`m.id`, sql`n.nth`, purpose);
  const once = (purpose: number) => chance(seed, sql`m.id`, sql`0`, purpose);
  const present = sql`${now.toISOString()}::timestamptz`;
  await tx.rows(sql`
    with machine as (
      select m.id, ${zoneOf(sql`l`)} as zone,
        case when ${once(1)} < 0.45 then interval '20 hours' when ${once(1)} < 0.65 then interval '4 hours' when ${once(1)} < 0.85 then interval '15 hours' else interval '10 hours' end as shift,
        case when ${once(2)} < 0.06 then date_trunc('second', ${present} - ${once(3)} * interval '3 days' - interval '1 hour') end as vanished
      from machines m left join locations l on l.id = m.location_id
      where m.stock_state = 'deployed' and m.tracker_id is not null
    ), shift as (
      select m.id, m.vanished, ${roll(4)} as kind,
        date_trunc('second', (date_trunc('day', ${present} at time zone m.zone) - n.nth * interval '1 day' + m.shift + ${roll(5)} * interval '90 minutes') at time zone m.zone) as start,
        date_trunc('second', interval '100 minutes' + ${roll(6)} * interval '3 hours') as cleaned,
        date_trunc('second', interval '80 minutes' + ${roll(7)} * interval '2 hours') as charged,
        ${roll(8)} as drive
      from machine m cross join generate_series(0, ${days}::int - 1) as n(nth)
      where ${roll(9)} < case when extract(isodow from (${present} at time zone m.zone) - n.nth * interval '1 day') = 7 then 0.35 else 0.93 end
    ), event as (
      select id, vanished, start as at, 'Cleaning' as state,
        case when drive < 0.88 then 'robotic' when drive < 0.96 then 'manual' else 'teaching' end as mode, 'cleaning' as reason, interval '0' as ago
      from shift
      union all select id, vanished, start + cleaned, 'Charging', null, 'charging', interval '0' from shift
      union all select id, vanished, start + cleaned + charged, case when kind < 0.03 then 'Offline' else 'Parked' end, null,
        case when kind < 0.03 then 'silent' else 'parked' end, case when kind < 0.03 then interval '10 minutes' else interval '0' end from shift
      union all select id, vanished, date_trunc('day', (${present} - ${days}::int * interval '1 day') at time zone zone) at time zone zone, 'Parked', null, 'parked', interval '0' from machine
      union all select id, null, vanished, 'Offline', null, 'silent', interval '10 minutes' from machine where vanished is not null
    )
    insert into segments (machine_id, from_at, to_at, state, mode, reason, reason_at)
    select id, at, lead(at) over (partition by id order by at), state, mode, reason, at - ago
    from event where at < coalesce(vanished, ${present} - interval '6 minutes')`);
}

/** When each machine was heard last: moments ago or, of one that has vanished, ten minutes before it was Offline. */
async function makeWatch(tx: Queries, { seed, now }: Making): Promise<void> {
  await tx.rows(sql`
    insert into machine_watch (machine_id, observed_at, silent_at)
    select machine_id, case when state = 'Offline' then reason_at else seen end, case when state = 'Offline' then null else seen + interval '10 minutes' end
    from segments, lateral (
      select date_trunc('second', ${now.toISOString()}::timestamptz - ${chance(seed, sql`machine_id`, sql`0`, 10)} * interval '5 minutes') as seen) heard
    where to_at is null`);
}

async function makeDays(tx: Queries): Promise<void> {
  await tx.rows(sql`
    with piece as (
      select machine_id, from_at, coalesce(to_at, observed_at) as to_at, state, mode, 1 as sign from segments join machine_watch using (machine_id) where state <> 'Offline'
    ), day as (select machine_id, day, ${daySums} from (${cutAtMidnights(sql`piece`)}) cut group by machine_id, day)
    insert into machine_days (machine_id, day, cleaning, charging, parked, online, robotic, manual, teaching, area_m2, distance_m, messages)
    select machine_id, day, cleaning, charging, parked, online, robotic, manual, teaching, round(cleaning * (0.3 + (machine_id % 7) * 0.15)), round(cleaning * 0.7),
      (cleaning / 60 + (charging + parked) / 480)::int
    from day`);
}

/** A few errors of the last week; changes of state are told by the segments themselves. */
async function makeErrors(tx: Queries, { seed, now }: Making): Promise<void> {
  const roll = (purpose: number) => chance(seed, sql`machine_id`, sql`extract(epoch from from_at)`, purpose);
  await tx.rows(sql`
    insert into machine_logs (machine_id, at, level, kind, code, message)
    select machine_id, from_at + (to_at - from_at) / 2, 'error', 'error', (array['E12', 'E31', 'E47', 'E80'])[pick],
      (array['Squeegee motor blocked', 'Fresh water tank empty', 'Obstacle not passed', 'Localisation lost'])[pick]
    from segments, lateral (select 1 + floor(${roll(11)} * 4)::int as pick) chosen
    where from_at > ${now.toISOString()}::timestamptz - interval '7 days' and to_at is not null and state = 'Cleaning' and ${roll(12)} < 0.06
    order by from_at`);
}
