/** The caller's own account, for the person who signed in and for no API token. */
import type { Routes } from '../../services';
import { closedToTokens } from '../auth';
import { notificationRoutes } from './notifications';
import { ownSessionRoutes } from './sessions';
import { tokenRoutes } from './tokens';

export const ownRoutes: Routes = async (app) => {
  app.addHook('onRequest', closedToTokens);
  for (const routes of [notificationRoutes, ownSessionRoutes, tokenRoutes]) await app.register(routes);
};
