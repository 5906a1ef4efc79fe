/** Hooks of floors: coverage, plans and maps of robots. */
import type { EntityHooks, Routes } from '../../context/services';
import { coverageRoutes } from './coverageRoutes';
import { planFilesSql, planRoutes } from './planRoutes';
import { robotMapRoutes } from './robotMapRoutes';

const routes: Routes = async (app) => {
  await app.register(coverageRoutes);
  await app.register(planRoutes);
  await app.register(robotMapRoutes);
};

export const floorHooks: EntityHooks = { files: planFilesSql, routes };
