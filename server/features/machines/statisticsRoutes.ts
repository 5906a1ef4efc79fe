/**
 * `GET /machines/{id}/statistics`: sums per day, week or month. On past days, the five states add up to the length of
 * the day.
 */
import { sql } from 'drizzle-orm';
import type { Routes } from '../../context/services';
import { dayStartSql } from '../../db/core/dayStartSql';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { daySumsSql, splitAtMidnightsSql } from '../../telemetry/timeline/days';
import { readPeriodDays } from './period';
import { readLocalTime } from './readLocalTime';

const statisticsShape = {
  from: pg.text,
  to: pg.text,
  cleaning: pg.integer,
  charging: pg.integer,
  parked: pg.integer,
  online: pg.integer,
  offline: pg.integer,
  robotic: pg.integer,
  manual: pg.integer,
  teaching: pg.integer,
  area_m2: pg.double,
  reported_area_m2: pg.double,
  distance_m: pg.double,
  messages: pg.integer,
};

export const statisticsRoutes: Routes = async (app) => {
  serve(app, 'GET /machines/{id}/statistics', async ({ params: { id }, query, services }) => {
    const { db } = services;
    const { group } = query;
    const nowSql = sql`${services.now().toISOString()}::timestamptz`;
    const localTime = await readLocalTime(db, id, services.now());
    const { from, to } = readPeriodDays(query, localTime.today);
    const start = sql`${from}::date`;
    const end = sql`${to}::date`;
    // Adds the time since the last message, which the stored sums do not contain yet.
    const data = await db.select(
      statisticsShape,
      sql`
      with piece as (
        select s.machine_id, date_trunc('second', w.observed_at) as from_at, least(date_trunc('second', ${nowSql}),
        w.silent_at) as to_at, s.state, s.mode, 1 as sign
        from segments s join machine_watch w on w.machine_id = s.machine_id
        where s.machine_id = ${id} and s.to_at is null and s.state <> 'Offline' and w.silent_at is not null
      ), running as (select day, ${daySumsSql} from (${splitAtMidnightsSql(sql`piece`)}) cut group by day),
      day as (
        select d::date as day,
          extract(epoch from least(b.over, greatest(${nowSql}, b.start)) - b.start)::int as length
        from generate_series(${start}::timestamp, ${end}::timestamp, interval '1 day') as d
        cross join lateral (select ${dayStartSql(sql`d`, sql`${localTime.zone}`)} as start,
          ${dayStartSql(sql`(d + interval '1 day')`, sql`${localTime.zone}`)} as over) b
      ), summed as (
        select greatest(date_trunc(${group}, day.day::timestamp)::date, ${start}) as from,
          least((date_trunc(${group}, day.day::timestamp) + ('1 ' || ${group})::interval - interval '1 day')::date,
          ${end}) as to, day.length,
          ${sql.join(
            ['cleaning', 'charging', 'parked', 'online', 'robotic', 'manual', 'teaching'].map(
              (name) =>
                sql`coalesce(sums.${sql.identifier(name)}, 0) + coalesce(running.${sql.identifier(name)},
                  0) as ${sql.identifier(name)}`,
            ),
            sql`, `,
          )}, coalesce(sums.run_area_m2, sums.area_m2, 0) as area_m2,
          coalesce(sums.reported_area_m2, 0) as reported_area_m2, coalesce(sums.distance_m, 0) as distance_m,
          coalesce(sums.messages, 0) as messages
        from day left join machine_days sums on sums.machine_id = ${id} and sums.day = day.day
        left join running on running.day = day.day
      )
      select "from"::text, "to"::text, sum(cleaning)::int as cleaning, sum(charging)::int as charging,
      sum(parked)::int as parked, sum(online)::int as online,
        sum(greatest(0, length - cleaning - charging - parked - online))::int as offline, sum(robotic)::int as robotic,
        sum(manual)::int as manual,
        sum(teaching)::int as teaching, round(sum(area_m2)::numeric, 1)::float8 as area_m2,
        round(sum(reported_area_m2)::numeric, 1)::float8 as reported_area_m2,
        round(sum(distance_m)::numeric, 1)::float8 as distance_m, sum(messages)::int as messages
      from summed group by 1, 2 order by 1`,
    );
    return { data };
  });
};
