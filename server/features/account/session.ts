/** Routes for signing in and the own account (contract, section "Session"). */
import type { Routes } from '../../context/services';
import { invitedRoutes } from './acceptInvitation';
import { accountRoutes } from './account';
import { clientConfigRoutes } from './clientConfig';
import { verificationRoutes } from './emails';
import { loginRoutes } from './login';
import { oidcRoutes } from './oidc';
import { resetRoutes } from './reset';
import { ownRoutes } from './routes';

export const sessionRoutes: Routes = async (app) => {
  for (const routes of [
    loginRoutes,
    oidcRoutes,
    accountRoutes,
    resetRoutes,
    invitedRoutes,
    clientConfigRoutes,
    verificationRoutes,
    ownRoutes,
  ])
    await app.register(routes);
};
