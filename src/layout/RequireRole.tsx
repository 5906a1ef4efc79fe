import { type ReactNode, useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
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
  const { state } = useLocation() as { state: LoginState | null };
  // Not evaluated on every change: after a login on this page, react-admin goes to the requested page.
  const [target, setTarget] = useState(() => (session.get().t === '' ? undefined : '/'));
  useEffect(() => {
    // After a login in another tab, this tab returns to the page that it has left.
    const follow = () => {
      if (session.get().t !== '') setTarget(`${state?.nextPathname ?? '/'}${state?.nextSearch ?? ''}`);
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [state]);
  return target === undefined ? children : <Navigate to={target} replace />;
};

/** State of the location `/login` after a redirect by react-admin. */
interface LoginState {
  nextPathname?: string;
  nextSearch?: string;
}
