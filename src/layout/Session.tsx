import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useI18nProvider } from 'react-admin';
import { useLocation, useNavigate } from 'react-router-dom';
import { currentUser } from '../providers/auth';
import { languageOfRow } from '../providers/i18n';
import { useSession } from '../providers/session';
import { listen } from '../providers/useLive';
import { LoadingNotice } from '../ui/LoadingNotice';
import { useApplyMode } from '../ui/mode';

interface SessionProps {
  children: ReactNode;
  /** Shown to users without a session who open a machine's URL. */
  publicPage: ComponentType<{ machine: number }>;
}

/** The URL in the QR code of a machine. */
const machineAddress = /^\/machines\/([1-9]\d{0,9})\/?$/;

const publicPaths = ['/login', '/forgotpassword', '/resetpassword', '/invitation', '/verifyemail'];

/**
 * Wraps every page: receives live events while logged in, redirects to /login when the session ends, applies light or
 * dark mode. Draws no page without a session, since react-admin would redirect again and again while the login page
 * loads.
 */
export const Session = ({ children, publicPage: PublicPage }: SessionProps) => {
  const { t } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const i18n = useI18nProvider();
  // A page that was opened with a session keeps its language.
  const lastTokenRef = useRef(t);
  // Not after a logout on that page: the public page is for visitors who scanned the code.
  const machine = !t && !lastTokenRef.current ? machineAddress.exec(pathname)?.[1] : undefined;
  const needsLogin = !t && !machine && !publicPaths.some((path) => pathname.startsWith(path));
  useApplyMode();

  // After a login the user's language applies, including to server messages.
  useEffect(() => {
    if (!t || t === lastTokenRef.current) return;
    lastTokenRef.current = t;
    const language = currentUser()?.language;
    const userLocale = language && languageOfRow(language);
    if (userLocale) i18n.changeLocale(userLocale).catch(console.error);
  }, [t, i18n]);
  useEffect(() => (t ? listen(client) : undefined), [t, client]);
  useEffect(() => {
    if (!needsLogin) return;
    client.clear();
    navigate('/login', { replace: true, state: { nextPathname: pathname, nextSearch: search } });
  }, [needsLogin, client, navigate, pathname, search]);
  if (machine) {
    return (
      <Suspense fallback={<LoadingNotice what="data" />}>
        <PublicPage machine={Number(machine)} />
      </Suspense>
    );
  }
  return needsLogin ? <LoadingNotice what="data" /> : children;
};
