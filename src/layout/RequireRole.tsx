import { type ReactNode, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { namedRoles } from '../../schema/shared/roles';
import { currentUser } from '../providers/auth';
import { session } from '../providers/session';

/** Shows a page to users with any role; redirects others to the dashboard. */
export const RequireRole = ({ children }: { children: ReactNode }) =>
  currentUser()?.roles.length ? children : <Navigate to="/" replace />;

/** Shows a page to administrators; redirects others to the dashboard. */
export const RequireAdmin = ({ children }: { children: ReactNode }) =>
  currentUser()?.roles.includes(namedRoles.admin.name) ? children : <Navigate to="/" replace />;

/** Shows a page to logged-out users; redirects others to the dashboard. */
export const LoggedOutOnly = ({ children }: { children: ReactNode }) => {
  // Evaluated once: after a login on this page the user goes to the requested page, not necessarily the dashboard.
  const [loggedIn] = useState(() => session.get().t !== '');
  return loggedIn ? <Navigate to="/" replace /> : children;
};
