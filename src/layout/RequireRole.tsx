import { type ReactNode, useState } from 'react';
import { Navigate } from 'react-router-dom';
import type { RoleName } from '../../schema/dsl/entity';
import { currentUser } from '../providers/auth';
import { session } from '../providers/store';
import { decidingRole } from './menus';

/** Shows a page to users of these roles; redirects others to the dashboard. */
export const RequireRole = ({ roles, children }: { roles: readonly RoleName[]; children: ReactNode }) => {
  const ownRoles = currentUser()?.roles ?? [];
  const role = decidingRole(ownRoles);
  return role && roles.includes(role) ? children : <Navigate to="/" replace />;
};

/** Shows a page to logged-out users; redirects others to the dashboard. */
export const LoggedOutOnly = ({ children }: { children: ReactNode }) => {
  // Evaluated once: after a login on this page the user goes where they wanted, which need not be the dashboard.
  const [loggedIn] = useState(() => session.get().t !== '');
  return loggedIn ? <Navigate to="/" replace /> : children;
};
