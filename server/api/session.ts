/** Signing in and everything about the own account (contract, section "Session"). */
import type { Routes } from '../services';
import { verificationRoutes } from './account/emails';
import { ownRoutes } from './account/routes';
import { accountRoutes } from './session/account';
import { invitedRoutes } from './session/invited';
import { loginRoutes } from './session/login';
import { oidcRoutes } from './session/oidc';
import { resetRoutes } from './session/reset';
import { clientConfigRoutes } from './session/surroundings';

export const sessionRoutes: Routes = async (app) => {
  for (const routes of [loginRoutes, oidcRoutes, accountRoutes, resetRoutes, invitedRoutes, clientConfigRoutes, verificationRoutes, ownRoutes])
    await app.register(routes);
};
