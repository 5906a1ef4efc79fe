/** Hooks of floors: coverage and plans. */
import type { EntityHooks, Routes } from '../../context/services';
import { coverageRoutes } from './coverageRoutes';
import { planFilesSql, planRoutes } from './planRoutes';

const routes: Routes = async (app) => {
  await app.register(coverageRoutes);
  await app.register(planRoutes);
};

export const floorHooks: EntityHooks = { files: planFilesSql, routes };
