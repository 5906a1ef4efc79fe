/** Signing in and everything about the own account (contract, section "Session"). */
import type { Routes } from '../services';
import { ownRoutes } from './account/routes';
import { accountRoutes } from './session/account';
import { invitedRoutes } from './session/invited';
import { loginRoutes } from './session/login';
import { resetRoutes } from './session/reset';
import { surroundings } from './session/surroundings';

export const sessionRoutes: Routes = async (app) => {
  for (const routes of [loginRoutes, accountRoutes, resetRoutes, invitedRoutes, surroundings, ownRoutes]) await app.register(routes);
};
