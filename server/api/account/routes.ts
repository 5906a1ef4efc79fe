/** The caller's own account, for the person who signed in and for no API token. */
import type { Routes } from '../../services';
import { requireInteractiveSession } from '../auth';
import { dataRoutes } from './data';
import { emailRoutes } from './emails';
import { notificationRoutes } from './notifications';
import { secondFactorRoutes } from './second-factor';
import { ownSessionRoutes } from './sessions';
import { tokenRoutes } from './tokens';

export const ownRoutes: Routes = async (app) => {
  app.addHook('onRequest', requireInteractiveSession);
  for (const routes of [notificationRoutes, ownSessionRoutes, tokenRoutes, secondFactorRoutes, emailRoutes, dataRoutes]) await app.register(routes);
};
