/** Routes other than those of the entities, with their guards (specification, section 2, route table). */
import type { ReactNode } from 'react';
import { CustomRoutes } from 'react-admin';
import { Navigate, Route } from 'react-router-dom';
import { entities, registry } from '../../schema';
import { type Entity, isCreatable } from '../../schema/dsl/entity';
import { LoggedOutOnly, RequireAdmin, RequireRole } from '../layout/RequireRole';
import { sectionListPath, sections } from '../pages/admin/sections';
import { Bare } from '../pages/session/Bare';
import { can } from '../providers/auth';
import { lazyPage } from '../ui/lazyPage';
import { customPages } from './customPages';

export const DashboardRoute = lazyPage(() => import('../pages/dashboard/Dashboard'), 'Dashboard');
export const NotFoundRoute = lazyPage(() => import('../pages/session/NotFound'), 'NotFound');
const LoginPage = lazyPage(() => import('../pages/session/Login'), 'Login');
const ForgotPassword = lazyPage(() => import('../pages/session/ForgotPassword'), 'ForgotPassword');
const ResetPassword = lazyPage(() => import('../pages/session/ResetPassword'), 'ResetPassword');
const VerifyEmail = lazyPage(() => import('../pages/session/VerifyEmail'), 'VerifyEmail');
const AcceptInvitation = lazyPage(() => import('../pages/session/AcceptInvitation'), 'AcceptInvitation');
const Account = lazyPage(() => import('../pages/account/Account'), 'Account');
const Admin = lazyPage(() => import('../pages/admin/Admin'), 'Admin');
const InvitationsList = lazyPage(() => import('../resources/users/PeopleLists'), 'InvitationsList');
const AccessPage = lazyPage(() => import('../resources/users/AccessPage'), 'AccessPage');
const UserPage = lazyPage(() => import('../resources/users/UserPage'), 'UserPage');
const CalendarPage = lazyPage(() => import('../resources/locations/CalendarPage'), 'CalendarPage');
const ReportsPage = lazyPage(() => import('../pages/reports/ReportsPage'), 'ReportsPage');
const StartImport = lazyPage(() => import('../crud/imports/StartImport'), 'StartImport');
const LabelsPage = lazyPage(() => import('../resources/machines/LabelsPage'), 'LabelsPage');
const CreatePage = lazyPage(() => import('../crud/record/CreatePage'), 'CreatePage');
const EditPage = lazyPage(() => import('../crud/record/EditPage'), 'EditPage');
const RecordPage = lazyPage(() => import('../crud/record/RecordPage'), 'RecordPage');

const loggedOut = (page: ReactNode) => (
  <LoggedOutOnly>
    <Bare>{page}</Bare>
  </LoggedOutOnly>
);
const anyRole = (page: ReactNode) => <RequireRole>{page}</RequireRole>;
const adminOnly = (page: ReactNode) => <RequireAdmin>{page}</RequireAdmin>;

export const LoginRoute = () => loggedOut(<LoginPage />);

/** Checks the permission when the page opens, since the user may change. */
const Access = () => (can('users', 'show') ? <AccessPage /> : <Navigate to="/" replace />);
const Import = ({ entity }: { entity: Entity }) =>
  can(entity.name, 'import') ? <StartImport entity={entity} /> : <Navigate to="/" replace />;

const { clients, machines } = registry;

export const pages = (
  <>
    <CustomRoutes noLayout>
      <Route path="/forgotpassword" element={loggedOut(<ForgotPassword />)} />
      <Route path="/resetpassword/:token?" element={loggedOut(<ResetPassword />)} />
      <Route
        path="/verifyemail/:token"
        element={
          <Bare>
            <VerifyEmail />
          </Bare>
        }
      />
      <Route path="/invitation/:token" element={loggedOut(<AcceptInvitation />)} />
    </CustomRoutes>
    <CustomRoutes>
      <Route path="/account/:tab?" element={anyRole(<Account />)} />
      <Route path="/locations/calendar" element={anyRole(<CalendarPage />)} />
      <Route path="/reports/:report?" element={anyRole(<ReportsPage />)} />
      <Route path="/users/access" element={anyRole(<Access />)} />
      {entities.filter(isCreatable).map((entity) => (
        <Route key={entity.name} path={`/${entity.name}/import`} element={anyRole(<Import entity={entity} />)} />
      ))}
      <Route path="/machines/labels" element={anyRole(<LabelsPage />)} />
      <Route path="/users/invitations" element={anyRole(<InvitationsList />)} />
      <Route path="/admin" element={adminOnly(<Admin />)} />
      {sections.flatMap((section) =>
        section.entities.map((entity) => (
          <Route
            key={`${section.name} ${entity}`}
            path={sectionListPath(section, entity)}
            element={adminOnly(<Admin />)}
          />
        )),
      )}
      <Route
        path="/admin/companies/addcompany"
        element={adminOnly(<CreatePage entity={clients} back="/admin/companies" />)}
      />
      <Route path="/admin/companies/:id" element={adminOnly(<EditPage entity={clients} />)} />
      <Route path="/admin/users/:id" element={adminOnly(<UserPage />)} />
      <Route
        path="/admin/fleets/addmachine"
        element={adminOnly(<CreatePage entity={machines} back="/admin/fleets/machines" />)}
      />
      <Route path="/admin/fleets/machines/:id" element={adminOnly(<RecordPage entity={machines} />)} />
      {customPages}
    </CustomRoutes>
  </>
);
