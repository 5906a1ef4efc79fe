import { StyledEngineProvider } from '@mui/material/styles';
import { Suspense, useEffect } from 'react';
import { HttpError } from 'react-admin';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider, useRouteError } from 'react-router-dom';
import { App } from './App';
import '../ui/tokens.css';
import '../ui/fonts.css';
import '../ui/base.css';
import '../layout/frame.css';
import '../layout/sidebar.css';
import '../layout/header.css';
import '../layout/panel.css';
import '../ui/session.css';
import '../ui/pieces.css';
import '../ui/marks.css';
import '../ui/dialogs.css';
import '../ui/dropdown.css';
import '../ui/forms.css';
import '../layout/dashboard.css';
import '../ui/touch.css';
import '../ui/forcedColors.css';
import '../layout/print.css';
import { installWorker } from '../offline/installWorker';
import { endUnreadableSession } from '../providers/auth';
import { errorMessage } from '../providers/errorMessage';
import { createI18nProvider } from '../providers/i18n';
import { session } from '../providers/session';
import { isWall, wallTheme } from '../providers/wallAddress';
import { lazyPage, reloadOnMissingPages } from '../ui/lazyPage';
import { effectiveMode } from '../ui/mode';
import { ToastArea } from '../ui/Toasts';
import { toast } from '../ui/toast';
import { createQueryClient, resumeQueries } from './queryClient';
import { preloadPage } from './routes';

document.documentElement.dataset.theme = isWall ? wallTheme : effectiveMode();
reloadOnMissingPages();
endUnreadableSession();
session.subscribe(endUnreadableSession);
installWorker();

/** Reports errors that no page could catch to the error screen of index.html. */
const StartError = () => {
  const error = useRouteError();
  useEffect(() => reportError(error), [error]);
  return null;
};

const WallApp = lazyPage(() => import('./WallApp'), 'WallApp');
const Root = isWall ? WallApp : App;

/**
 * Draws the page. A function, because a top-level `await` would never end: it would wait for lazy pages, which import
 * from this module and so wait for it.
 */
async function start(): Promise<void> {
  const languages = createI18nProvider(session.get().lang);

  const queryClient = createQueryClient(async (error) => {
    // The login page opens when the session ends; a wall shows the age of its data.
    if (isWall || (error instanceof HttpError && error.status === 401)) return;
    console.error(error);
    const { translate } = await languages;
    const message = error instanceof HttpError ? errorMessage(error, translate) : translate('errors.generic');
    toast({ type: 'error', message, label: translate('toasts.error') });
  });

  resumeQueries(queryClient);

  // start.js has requested the scripts of both.
  const [i18nProvider] = await Promise.all([
    languages,
    session.get().t && !isWall && preloadPage(window.location.pathname, queryClient),
  ]);

  const router = createBrowserRouter([
    {
      path: '*',
      element: (
        <Suspense fallback={null}>
          <Root i18nProvider={i18nProvider} queryClient={queryClient} />
        </Suspense>
      ),
      errorElement: <StartError />,
    },
  ]);

  createRoot(document.getElementById('root') as HTMLElement).render(
    // Material UI's rules come before the stylesheets, so that one class suffices to override them.
    <StyledEngineProvider injectFirst>
      <ToastArea>
        <RouterProvider router={router} />
      </ToastArea>
    </StyledEngineProvider>,
  );
}

void start();
