/** Routes of the caller's own account: for signed-in people, not for API tokens. */
import type { Routes } from '../../context/services';
import { dataRoutes } from './data';
import { emailRoutes } from './emails';
import { notificationRoutes } from './notifications';
import { secondFactorRoutes } from './secondFactor';
import { ownSessionRoutes } from './sessions';
import { tokenRoutes } from './tokens';

export const ownRoutes: Routes = async (app) => {
  for (const routes of [notificationRoutes, ownSessionRoutes, tokenRoutes, secondFactorRoutes, emailRoutes, dataRoutes])
    await app.register(routes);
};
