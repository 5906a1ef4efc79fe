/** Routes of the caller's own account: for signed-in people, not for API tokens. */
import type { Routes } from '../../context/services';
import { dataRoutes } from './dataRoutes';
import { emailRoutes } from './emailRoutes';
import { notificationRoutes } from './notificationRoutes';
import { ownSessionRoutes } from './ownSessionRoutes';
import { secondFactorRoutes } from './secondFactorRoutes';
import { tokenRoutes } from './tokenRoutes';
import { wallRoutes } from './wallRoutes';

export const ownAccountRoutes: Routes = async (app) => {
  for (const routes of [
    notificationRoutes,
    ownSessionRoutes,
    tokenRoutes,
    wallRoutes,
    secondFactorRoutes,
    emailRoutes,
    dataRoutes,
  ])
    await app.register(routes);
};
