/** Routes for signing in and for the caller's own account. */
import type { Routes } from '../../context/services';
import { acceptInvitationRoutes } from './acceptInvitationRoutes';
import { accountRoutes } from './accountRoutes';
import { clientConfigRoutes } from './clientConfigRoutes';
import { verificationRoutes } from './emailRoutes';
import { loginRoutes } from './loginRoutes';
import { oidcRoutes } from './oidcRoutes';
import { ownAccountRoutes } from './ownAccountRoutes';
import { resetRoutes } from './resetRoutes';

export const sessionRoutes: Routes = async (app) => {
  for (const routes of [
    loginRoutes,
    oidcRoutes,
    accountRoutes,
    resetRoutes,
    acceptInvitationRoutes,
    clientConfigRoutes,
    verificationRoutes,
    ownAccountRoutes,
  ])
    await app.register(routes);
};
