/** Routes other than those of the entities, with their guards (specification, section 2, route table). */
import type { QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CustomRoutes } from 'react-admin';
import { Navigate, Route, useParams } from 'react-router-dom';
import { type EntityName, entities, registry } from '../../schema';
import { type Entity, isCreatable } from '../../schema/dsl/entity';
import { PathsContext } from '../crud/shared/paths';
import { LoggedOutOnly, RequireAdmin, RequireRole } from '../layout/RequireRole';
import { adminPathOf, sectionPath, sections } from '../pages/admin/sections';
import { PublicFrame } from '../pages/session/PublicFrame';
import { can } from '../providers/auth';
import { lazyPage } from '../ui/lazyPage';
import { customPages } from './customPages';
import { guardedPages, listPageOf } from './resources';

export const DashboardRoute = lazyPage(() => import('../pages/dashboard/Dashboard'), 'Dashboard');
export const NotFoundRoute = lazyPage(() => import('../pages/session/NotFound'), 'NotFound');
export const PublicMachineRoute = lazyPage(() => import('../pages/session/PublicMachinePage'), 'PublicMachinePage');
const LoginPage = lazyPage(() => import('../pages/session/Login'), 'Login');
const ForgotPassword = lazyPage(() => import('../pages/session/ForgotPassword'), 'ForgotPassword');
const ResetPassword = lazyPage(() => import('../pages/session/ResetPassword'), 'ResetPassword');
const VerifyEmail = lazyPage(() => import('../pages/session/VerifyEmail'), 'VerifyEmail');
const AcceptInvitation = lazyPage(() => import('../pages/session/AcceptInvitation'), 'AcceptInvitation');
const Account = lazyPage(() => import('../pages/account/Account'), 'Account');
const Admin = lazyPage(() => import('../pages/admin/Admin'), 'Admin');
const InvitationsList = lazyPage(() => import('../resources/users/PeopleLists'), 'InvitationsList');
const AccessPage = lazyPage(() => import('../resources/users/AccessPage'), 'AccessPage');
const CalendarPage = lazyPage(() => import('../resources/locations/CalendarPage'), 'CalendarPage');
const ReportsPage = lazyPage(() => import('../pages/reports/ReportsPage'), 'ReportsPage');
const StartImport = lazyPage(() => import('../crud/imports/StartImport'), 'StartImport');
const CompanyPage = lazyPage(() => import('../resources/clients/ClientPage'), 'CompanyPage');
const LabelsPage = lazyPage(() => import('../resources/machines/LabelsPage'), 'LabelsPage');

const loggedOut = (page: ReactNode) => (
  <LoggedOutOnly>
    <PublicFrame>{page}</PublicFrame>
  </LoggedOutOnly>
);
const anyRole = (page: ReactNode) => <RequireRole>{page}</RequireRole>;

/** Loads the page of a URL, if it is the dashboard or a list, before anything is drawn. */
export async function preloadPage(path: string, client: QueryClient): Promise<void> {
  const entity = entities.find(({ name }) => path === `/${name}`);
  if (path === '/') (await DashboardRoute.preload())?.prefetchFigures(client);
  else if (entity) await listPageOf(entity.name as EntityName).preload();
}

export const LoginRoute = () => loggedOut(<LoginPage />);

/** Checks the permission when the page opens, since the user may change. */
const Access = () => (can('users', 'show') ? <AccessPage /> : <Navigate to="/" replace />);
const Import = ({ entity }: { entity: Entity }) =>
  can(entity.name, 'import') ? <StartImport entity={entity} /> : <Navigate to="/" replace />;

/** A page of the administration; its links stay there. Remounts for another row, but not for another list. */
const AdminPage = ({ entity, children }: { entity?: EntityName; children: ReactNode }) => {
  const { id } = useParams();
  return (
    <RequireAdmin>
      <PathsContext.Provider key={`${entity} ${id}`} value={adminPathOf}>
        {children}
      </PathsContext.Provider>
    </RequireAdmin>
  );
};
const inAdmin = (path: string, page: ReactNode, entity?: EntityName) => (
  <Route key={path} path={path} element={<AdminPage entity={entity}>{page}</AdminPage>} />
);

/** The administration has pages for its tabs and lists, and for rows and forms of every entity that it lists. */
const adminEntities = sections.flatMap(({ entities }) => entities);
const adminRoutes = [
  ...new Set(['/admin', ...sections.map(sectionPath), ...adminEntities.map((name) => adminPathOf(name))]),
].map((path) => inAdmin(path, <Admin listPageOf={listPageOf} />));
const adminRowRoutes = adminEntities.flatMap((name) => {
  const { create, record, edit } = guardedPages(registry[name], name === 'clients' ? { record: CompanyPage } : {});
  const list = adminPathOf(name);
  return [
    inAdmin(adminPathOf(name, 'create'), create, name),
    inAdmin(`${list}/:id/edit`, edit, name),
    inAdmin(`${list}/:id/*`, record, name),
  ];
});

export const pages = (
  <>
    <CustomRoutes noLayout>
      <Route path="/forgotpassword" element={loggedOut(<ForgotPassword />)} />
      <Route path="/resetpassword/:token?" element={loggedOut(<ResetPassword />)} />
      <Route
        path="/verifyemail/:token"
        element={
          <PublicFrame>
            <VerifyEmail />
          </PublicFrame>
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
      {adminRoutes}
      {adminRowRoutes}
      {customPages}
    </CustomRoutes>
  </>
);
