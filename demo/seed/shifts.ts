/** SQL for the working days of the demo's machines: they clean in shifts, charge, park, and sometimes fall silent. */
import { type SQL, sql } from 'drizzle-orm';
import { splitAtMidnightsSql, timeZoneSql } from '../../server/telemetry/timeline/days';
import { seededRandomSql } from './seededRandomSql';

/** SQL: start of the shift of machine `m`, counted from local midnight. */
export function shiftHoursSql(seed: number): SQL {
  const choice = seededRandomSql(seed, sql`m.id`, sql`0`, 1);
  return sql`case when ${choice} < 0.45 then interval '20 hours' when ${choice} < 0.65 then interval '4 hours'
    when ${choice} < 0.85 then interval '15 hours' else interval '10 hours' end`;
}

/**
 * SQL: CTEs that end with `event (id, vanished, until, at, state, mode, reason, ago)`. They contain the events of each
 * row of `machine (id, zone, day, shift, counted, begin, until, vanished)` on the days that lie `nth` days before its
 * local `day`, from the moment `begin` on. `counted` is the number of days between `day` and the demo's present, so
 * that every day has its own random numbers.
 */
export function shiftEventsSql(seed: number, nth: SQL): SQL {
  const roll = (purpose: number) => seededRandomSql(seed, sql`m.id`, sql`(n.nth + m.counted)`, purpose);
  return sql`
    shift as (
      select m.id, m.vanished, m.until, m.begin, ${roll(4)} as kind,
        date_trunc('second', (m.day - n.nth * interval '1 day' + m.shift + ${roll(5)} * interval '90 minutes') at time
        zone m.zone) as start,
        date_trunc('second', interval '100 minutes' + ${roll(6)} * interval '3 hours') as cleaned,
        date_trunc('second', interval '80 minutes' + ${roll(7)} * interval '2 hours') as charged,
        ${roll(8)} as drive
      from machine m cross join ${nth} as n(nth)
      where ${roll(9)} < case when extract(isodow from m.day - n.nth * interval '1 day') = 7 then 0.35 else 0.93 end
    ), event as (
      select id, vanished, until, start as at, 'Cleaning' as state,
        case when drive < 0.88 then 'robotic' when drive < 0.96 then 'manual' else 'teaching'
        end as mode, 'cleaning' as reason, interval '0' as ago
      from shift where start > begin
      union all select id, vanished, until, start + cleaned, 'Charging', null, 'charging', interval '0' from shift
      where start > begin
      union all select id, vanished, until, start + cleaned + charged, case when kind < 0.03 then 'Offline'
      else 'Parked' end, null,
        case when kind < 0.03 then 'silent' else 'parked' end, case when kind < 0.03 then interval '10 minutes'
        else interval '0' end from shift where start > begin
      union all select id, vanished, until, begin, 'Parked', null, 'parked', interval '0' from machine
      union all select id, null, until, vanished, 'Offline', null, 'silent', interval '10 minutes' from machine
      where vanished is not null
    )`;
}

/** SQL: inserts events as segments. Each one lasts until the machine's next event, the last one until `until`. */
export const insertSegmentsSql: SQL = sql`
  insert into segments (machine_id, from_at, to_at, state, mode, reason, reason_at)
  select id, at, coalesce(lead(at) over (partition by id order by at), until), state, mode, reason, at - ago
  from event`;

/**
 * SQL: like `splitAtMidnightsSql`, for little more than half of its cost, because most intervals lie within one local
 * day. Only for zones whose clocks never change around midnight, such as those of the demo.
 */
export const splitAtNightsSql = (intervals: SQL): SQL => sql`
  with local as materialized (
    select p.*, (p.from_at at time zone zone)::date as first,
      ((p.to_at - interval '1 second') at time zone zone)::date as last
    from ${intervals} p join machines m on m.id = p.machine_id left join locations l on l.id = m.location_id
    cross join lateral (select ${timeZoneSql(sql`l`)} as zone) z
  )
  select machine_id, first as day, state, mode, sign * extract(epoch from to_at - from_at)::int as seconds from local
  where first = last and to_at > from_at
  union all ${splitAtMidnightsSql(sql`(select * from local where first <> last)`)}`;
