/** Hooks of floors: coverage, plans and robot maps. */
import { sql } from 'drizzle-orm';
import type { EntityHooks, Routes } from '../../context/services';
import { coverageRoutes } from './coverageRoutes';
import { machineFloorRoutes } from './machineFloorRoutes';
import { planFilesSql, planRoutes } from './planRoutes';
import { robotMapRoutes } from './robotMapRoutes';
import { zoneCleaningRoutes } from './zoneCleaningRoutes';

const routes: Routes = async (app) => {
  await app.register(coverageRoutes);
  await app.register(machineFloorRoutes);
  await app.register(planRoutes);
  await app.register(robotMapRoutes);
  await app.register(zoneCleaningRoutes);
};

export const floorHooks: EntityHooks = {
  files: planFilesSql,
  routes,

  /** Marks derived runs for recomputation: their floor is the one to which the maps of their positions are linked. */
  async after({ tx, values, current }) {
    if (values.maps === undefined && values.location_id === undefined) return;
    const locationIds = [values.location_id, current?.location_id].filter((id) => typeof id === 'number');
    await tx.rows(sql`
      insert into run_changes (machine_id, from_at, to_at)
      select s.machine_id, min(r.started_at), max(r.ended_at) from machine_stays s
      join runs r on r.machine_id = s.machine_id and r.location_id = s.location_id and r.source = 'derived'
      where s.location_id = any(${sql.param(locationIds)}::int[]) group by 1 order by 1`);
  },
};
