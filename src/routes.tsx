/** The routes beside those of the entities, each with its guard (specification, section 2, route table). */
import type { ReactNode } from 'react';
import { CustomRoutes } from 'react-admin';
import { Route } from 'react-router-dom';
import { roleNames } from '../schema/dsl/entity';
import { lazyPage } from './layout/lazyPage';
import { LoggedOutOnly, RequireRole } from './layout/RequireRole';
import { Bare } from './pages/Bare';

export const Dashboard = lazyPage(() => import('./pages/Dashboard'), 'Dashboard');
export const NotFound = lazyPage(() => import('./pages/NotFound'), 'NotFound');
const LoginPage = lazyPage(() => import('./pages/Login'), 'Login');
const ForgotPassword = lazyPage(() => import('./pages/ForgotPassword'), 'ForgotPassword');
const ResetPassword = lazyPage(() => import('./pages/ResetPassword'), 'ResetPassword');
const AcceptInvitation = lazyPage(() => import('./pages/AcceptInvitation'), 'AcceptInvitation');
const Account = lazyPage(() => import('./pages/Account'), 'Account');

const loggedOut = (page: ReactNode) => (
  <LoggedOutOnly>
    <Bare>{page}</Bare>
  </LoggedOutOnly>
);
const anyRole = (page: ReactNode) => <RequireRole roles={roleNames}>{page}</RequireRole>;

export const Login = () => loggedOut(<LoginPage />);

export const pages = (
  <>
    <CustomRoutes noLayout>
      <Route path="/forgotpassword" element={loggedOut(<ForgotPassword />)} />
      <Route path="/resetpassword/:token?" element={loggedOut(<ResetPassword />)} />
      <Route path="/invitation/:token" element={loggedOut(<AcceptInvitation />)} />
    </CustomRoutes>
    <CustomRoutes>
      <Route path="/account" element={anyRole(<Account />)} />
    </CustomRoutes>
  </>
);
