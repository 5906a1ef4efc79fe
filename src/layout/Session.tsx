import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useI18nProvider } from 'react-admin';
import { useLocation, useNavigate } from 'react-router-dom';
import { currentUser } from '../providers/auth';
import { languageOfRow } from '../providers/i18n';
import { useSession } from '../providers/session';
import { listen } from '../providers/useLive';
import { LoadingNotice } from '../ui/LoadingNotice';
import { useApplyMode } from '../ui/mode';

const open = ['/login', '/forgotpassword', '/resetpassword', '/invitation', '/verifyemail'];

/**
 * Background of every page: live events while logged in, redirect to /login when the session ends, light or dark.
 * Without a session draws no page: react-admin would redirect again and again while the login page loads.
 */
export const Session = ({ children }: { children: ReactNode }) => {
  const { t } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const i18n = useI18nProvider();
  // A page opened with a session keeps its language.
  const seen = useRef(t);
  const shutOut = !t && !open.some((path) => pathname.startsWith(path));
  useApplyMode();

  // After a login the user's language applies, also to server messages.
  useEffect(() => {
    if (!t || t === seen.current) return;
    seen.current = t;
    const language = currentUser()?.language;
    const own = language && languageOfRow(language);
    if (own) i18n.changeLocale(own).catch(console.error);
  }, [t, i18n]);
  useEffect(() => (t ? listen(client) : undefined), [t, client]);
  useEffect(() => {
    if (!shutOut) return;
    client.clear();
    navigate('/login', { replace: true, state: { nextPathname: pathname, nextSearch: search } });
  }, [shutOut, client, navigate, pathname, search]);
  return shutOut ? <LoadingNotice what="data" /> : children;
};
