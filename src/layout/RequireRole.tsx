import { type ReactNode, useState } from 'react';
import { Navigate } from 'react-router-dom';
import type { RoleName } from '../../schema/dsl/entity';
import { currentUser } from '../providers/auth';
import { session } from '../providers/store';
import { decidingRole } from './menus';

/** Shows a page to users of one of the roles; everybody else is sent to the dashboard. */
export const RequireRole = ({ roles, children }: { roles: readonly RoleName[]; children: ReactNode }) => {
  const held = currentUser()?.roles ?? [];
  const role = decidingRole(held);
  return role && roles.includes(role) ? children : <Navigate to="/" replace />;
};

/** Shows a page to those not logged in; the others are sent to the dashboard. */
export const LoggedOutOnly = ({ children }: { children: ReactNode }) => {
  // Judged once: a login on this very page leads where the user wanted to go, which is not always the dashboard.
  const [loggedIn] = useState(() => session.get().t !== '');
  return loggedIn ? <Navigate to="/" replace /> : children;
};
