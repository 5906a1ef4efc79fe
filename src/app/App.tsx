import type { QueryClient } from '@tanstack/react-query';
import { AdminContext, CoreAdminUI, memoryStore } from 'react-admin';
import { Navigate } from 'react-router-dom';
import { LanguageBoundary } from '../layout/LanguageBoundary';
import { Layout } from '../layout/Layout';
import { Session } from '../layout/Session';
import { authProvider } from '../providers/auth';
import { dataProvider } from '../providers/dataProvider';
import type { Languages } from '../providers/i18n';
import { ConfirmProvider } from '../ui/ConfirmProvider';
import { ErrorScreen } from '../ui/ErrorScreen';
import { LoadingNotice } from '../ui/LoadingNotice';
import { effectiveMode } from '../ui/mode';
import { Toasts } from '../ui/Toasts';
import { darkTheme, lightTheme } from '../ui/theme';
import { resources } from './resources';
import { DashboardRoute, LoginRoute, NotFoundRoute, PublicMachineRoute, pages } from './routes';

// Local storage holds only the session; react-admin's state lasts as long as the page.
const store = memoryStore({ theme: effectiveMode() });

/** The whole application. Must be inside a router. */
export const App = ({ i18nProvider, queryClient }: { i18nProvider: Languages; queryClient: QueryClient }) => (
  <AdminContext
    authProvider={authProvider}
    dataProvider={dataProvider}
    i18nProvider={i18nProvider}
    queryClient={queryClient}
    store={store}
    lightTheme={lightTheme}
    darkTheme={darkTheme}
  >
    <LanguageBoundary languages={i18nProvider}>
      <Toasts />
      <Session publicPage={PublicMachineRoute}>
        <ConfirmProvider>
          <CoreAdminUI
            requireAuth
            disableTelemetry
            title="Sweepline"
            layout={Layout}
            dashboard={DashboardRoute}
            loginPage={LoginRoute}
            catchAll={NotFoundRoute}
            error={ErrorScreen}
            accessDenied={ToDashboard}
            authenticationError={ToDashboard}
            loading={Loading}
          >
            {pages}
            {resources}
          </CoreAdminUI>
        </ConfirmProvider>
      </Session>
    </LanguageBoundary>
  </AdminContext>
);

const Loading = () => <LoadingNotice what="data" />;

/** Redirect from pages whose data the user may not see. */
const ToDashboard = () => <Navigate to="/" replace />;
