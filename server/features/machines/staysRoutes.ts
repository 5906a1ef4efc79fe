/**
 * `GET /machines/{id}/stays`: stays of the machine, latest first. Locations that the caller may not see, by permission
 * or scope, are null.
 */
import { sql } from 'drizzle-orm';
import { notDeleted, QueryContext } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import { hasPermission } from '../../context/caller';
import type { Routes } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';

const stayShape = {
  location: pg.json<{ id: number; name: string; city: string | null }>().nullable,
  from: pg.timestamptz.nullable,
  to: pg.timestamptz.nullable,
};

export const staysRoutes: Routes = async (app) => {
  serve(app, 'GET /machines/{id}/stays', async ({ params: { id }, services: { db, model } }, { caller }) => {
    const l = sql.raw('l');
    const maySeeLocations = hasPermission(caller, 'locations.list') || hasPermission(caller, 'locations.show');
    const visibleWhere = maySeeLocations
      ? scopeWhere(model.require('locations'), caller, l, new QueryContext())
      : sql`false`;
    const data = await db.select(
      stayShape,
      sql`
      select case when l.id is not null then json_build_object('id', l.id, 'name', l.name, 'city', l.city)
      end as location,
        nullif(st.from_at, 'epoch') as "from", st.to_at as "to"
      from machine_stays st left join locations l on l.id = st.location_id and ${notDeleted(l)} and ${visibleWhere}
      where st.machine_id = ${id} order by st.from_at desc`,
    );
    return { data };
  });
};
