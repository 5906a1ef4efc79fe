/** `GET /machines/{id}/floor`: the position of a machine on a floor of its location. */
import { sql } from 'drizzle-orm';
import type { FloorMap } from '../../../schema/dsl/transformation';
import { visibleIds } from '../../access/scopeWhere';
import type { Routes } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { buildTransformations, placeOnFloor, readLatestMapPosition } from './readFloorPath';

export const machineFloorRoutes: Routes = async (app) => {
  const { db, model } = app.services;
  const floors = model.require('floors');

  serve(app, 'GET /machines/{id}/floor', async ({ params: { id } }, { caller }) => {
    const position = await readLatestMapPosition(db, id);
    if (!position) return { data: null };
    const [floor] = await db.select(
      { id: pg.integer, maps: pg.json<FloorMap[]>() },
      sql`select f.id, f.maps from floors f join machines m on m.location_id = f.location_id
        where m.id = ${id} and f.deleted_at is null
          and f.maps @> jsonb_build_array(jsonb_build_object('map_id', ${position.map}::text))
        order by f.id limit 1`,
    );
    const floorPosition = floor && placeOnFloor(position, buildTransformations(floor.maps));
    if (!floorPosition || (await visibleIds(db, floors, caller, [floor.id])).length === 0) return { data: null };
    const { at, speed, state, battery } = position;
    return { data: { floor_id: floor.id, at, speed, state, battery, ...floorPosition } };
  });
};
