/** `GET /floors/{id}/robot-maps` and `/robot-maps/path`: maps that robots at the floor's location report. */
import { type SQL, sql } from 'drizzle-orm';
import { shapeLimits } from '../../../schema/dsl/shapes';
import { scopeWhere } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import type { Routes } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { mapIdSql, mapXSql } from '../../telemetry/timeline/mapPositions';
import { coordinateSql } from './readFloorPath';

const historyDays = 30;
/** Latest observations to read per machine, with or without a position; takes some 5 ms per machine. */
const maxObservations = 1000;
/** Maximum machines to read, most recently seen first. Limits how long the database is busy. */
const maxMachines = 20;
const maxPathPoints = 2000;

export const robotMapRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, model } = services;
  const machines = model.require('machines');

  serve(app, 'GET /floors/{id}/robot-maps', async ({ params: { id } }, { caller }) => {
    const data = await db.select(
      {
        map_id: pg.text,
        positions: pg.integer,
        last_seen_at: pg.timestamptz,
        machines: pg.json<{ id: number; serial_number: string }[]>(),
      },
      sql`select p.map as map_id, sum(p.positions)::int as positions, max(p.at) as last_seen_at,
          json_agg(json_build_object('id', p.machine_id, 'serial_number', p.serial_number) order by p.machine_id)
            as machines
        from (
          select map, machine_id, serial_number, count(*) as positions, max(at) as at
          from (${positionsSql(id, caller)}) o group by 1, 2, 3
        ) p
        where length(p.map) between 1 and ${shapeLimits.words}::int
          and not exists (select from floors f join floors here on here.location_id = f.location_id
            where here.id = ${id} and f.deleted_at is null
              and f.maps @> jsonb_build_array(jsonb_build_object('map_id', p.map)))
        group by p.map order by last_seen_at desc, map_id`,
    );
    return { data };
  });

  serve(
    app,
    'GET /floors/{id}/robot-maps/path',
    async ({ params: { id }, query: { map_id }, services: source }, { caller }) => {
      const rows = await source.db.select(
        { x: pg.double, y: pg.double },
        sql`select distinct p.x, p.y from (${positionsSql(id, caller)}) p
        where p.map = ${map_id} and p.x is not null and p.y is not null order by p.x, p.y`,
      );
      const step = Math.ceil(rows.length / maxPathPoints);
      return { data: rows.filter((_, index) => index % step === 0).map(({ x, y }) => ({ x, y })) };
    },
  );

  /** SQL: latest positions of the machines at the floor's location that are within the caller's scope. */
  const positionsSql = (floorId: number, caller: Caller): SQL => {
    const since = new Date(services.now().getTime() - historyDays * 86_400_000).toISOString();
    return sql`
    select o.map, o.x, o.y, o.at, m.id as machine_id, m.serial_number
    from (
      select m.id, m.serial_number from machines m join machines_state s on s.id = m.id
      join floors here on here.location_id = m.location_id
      where here.id = ${floorId} and m.deleted_at is null and ${scopeWhere(machines, caller, sql`m`)}
      order by s.last_seen desc nulls last limit ${maxMachines}::int
    ) m
    cross join lateral (
      select ${mapIdSql} as map, ${coordinateSql('x')} as x, ${coordinateSql('y')} as y, o.at from (
        select o.at, o.attributes from observations o where o.machine_id = m.id and o.at > ${since}::timestamptz
        order by o.at desc limit ${maxObservations}::int
      ) o
      where ${mapXSql} is not null
    ) o`;
  };
};
