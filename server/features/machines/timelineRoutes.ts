/** `GET /machines/{id}/timeline` and `/track`: the states of a machine, and its positions. */
import { sql } from 'drizzle-orm';
import type { StateName } from '../../../schema/entities/machines';
import type { Routes } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { readerZoneSql, reasonSql } from '../../telemetry/timeline/reasons';
import { readLocalMoments } from './readLocalTime';

/** Maximum points of a track. Longer tracks are thinned out evenly, because a map cannot show more. */
const maxPoints = 5000;

const segmentShape = {
  state: pg.text.as<StateName>(),
  mode: pg.text.nullable,
  from: pg.timestamptz,
  to: pg.timestamptz.nullable,
  reason: pg.text.nullable,
  source: pg.text.nullable,
};
const pointShape = {
  at: pg.timestamptz,
  latitude: pg.double,
  longitude: pg.double,
  speed: pg.double.nullable,
  heading: pg.double.nullable,
  state: pg.text.nullable,
};

export const timelineRoutes: Routes = async (app) => {
  serve(app, 'GET /machines/{id}/timeline', async ({ params: { id }, query, services }, { caller }) => {
    const { from, to } = await readLocalMoments(services.db, { id, query }, services.now());
    const [start, end] = [sql`${from.toISOString()}::timestamptz`, sql`${to.toISOString()}::timestamptz`];
    const data = await services.db.select(
      segmentShape,
      sql`
      select t.state, t.mode, t.from_at as
      from, t.to_at as to,
      ${reasonSql(caller.language, {
        reason: sql`t.reason`,
        at: sql`t.reason_at`,
        from: sql`t.from_at`,
        zone: readerZoneSql(caller, sql`l`),
      })} as reason,
        (select o.protocol from observations o where o.machine_id = ${id} and o.at = t.reason_at
        and t.state <> 'Offline' limit 1) as source
      from (
        select state, mode, from_at, to_at, reason, reason_at from segments
        where machine_id = ${id} and from_at < ${end} and from_at >= coalesce((select max(from_at) from segments
        where machine_id = ${id} and from_at <= ${start}), ${start})
        union all
        select 'Offline', null, ${start}, first_at, 'never', null from (select min(from_at) as first_at from segments
        where machine_id = ${id}) timeline
        where first_at is null or first_at > ${start}
      ) t join machines m on m.id = ${id} left join locations l on l.id = m.location_id
      order by t.from_at`,
    );
    return { data };
  });

  serve(app, 'GET /machines/{id}/track', async ({ params: { id }, query, services }) => {
    const { from, to } = await readLocalMoments(services.db, { id, query }, services.now());
    const data = await services.db.select(
      pointShape,
      sql`
      select at, latitude, longitude, speed, heading, state from (
        select *, row_number() over (order by at) as position, count(*) over () as total from observations
        where machine_id = ${id} and latitude is not null and at >= ${from.toISOString()}::timestamptz
        and at <= ${to.toISOString()}::timestamptz
      ) point where total <= ${maxPoints} or position % (total / ${maxPoints} + 1) = 0 or position = total order by at`,
    );
    return { data };
  });
};
