import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { AdminContext, memoryStore } from 'react-admin';
import { LanguageBoundary } from '../layout/LanguageBoundary';
import { Wall } from '../pages/wall/Wall';
import { authProvider, refreshUser } from '../providers/auth';
import { dataProvider } from '../providers/dataProvider';
import type { Languages } from '../providers/i18n';
import { useSession } from '../providers/session';
import { listen } from '../providers/useLive';
import { wallTheme } from '../providers/wallAddress';
import { darkTheme, lightTheme } from '../ui/theme';

const store = memoryStore({ theme: wallTheme });

/** The application as a wall: no pages, menus or forms. Must be inside a router. */
export const WallApp = ({ i18nProvider, queryClient }: { i18nProvider: Languages; queryClient: QueryClient }) => {
  const { t } = useSession();
  useEffect(() => {
    if (!t) return;
    // Permissions may have changed since the wall was last on.
    void refreshUser().catch(console.error);
    return listen(queryClient);
  }, [t, queryClient]);
  return (
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
        <Wall />
      </LanguageBoundary>
    </AdminContext>
  );
};
