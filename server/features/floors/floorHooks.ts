/** Hooks of floors: coverage and plans. */
import type { EntityHooks } from '../../context/services';
import { coverageRoutes } from './coverageRoutes';

export const floorHooks: EntityHooks = { routes: coverageRoutes };
