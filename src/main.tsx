import { HttpError } from 'react-admin';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { App } from './App';
import './layout/tokens.css';
import './layout/base.css';
import './layout/frame.css';
import './layout/sidebar.css';
import './layout/header.css';
import './layout/panel.css';
import './layout/bare.css';
import './layout/pieces.css';
import './layout/marks.css';
import './layout/dialogs.css';
import './layout/forms.css';
import './layout/dashboard.css';
import './layout/print.css';
import { reloadOnMissingPages } from './layout/lazyPage';
import { effectiveMode } from './layout/mode';
import { ToastArea } from './layout/Toasts';
import { toast } from './layout/toast';
import { createI18nProvider } from './providers/i18n';
import { errorMessage } from './providers/said';
import { session } from './providers/store';
import { createQueryClient } from './queryClient';

document.documentElement.dataset.theme = effectiveMode();
reloadOnMissingPages();

const i18nProvider = await createI18nProvider(session.get().lang);

const queryClient = createQueryClient((error) => {
  // The end of a session shows by itself: the login page opens.
  if (error instanceof HttpError && error.status === 401) return;
  console.error(error);
  const { translate } = i18nProvider;
  const message = error instanceof HttpError ? errorMessage(error, translate) : translate('errors.generic');
  toast({ type: 'error', message, label: translate('toasts.error') });
});

const router = createBrowserRouter([{ path: '*', element: <App i18nProvider={i18nProvider} queryClient={queryClient} /> }]);

createRoot(document.getElementById('root') as HTMLElement).render(
  <ToastArea>
    <RouterProvider router={router} />
  </ToastArea>,
);
