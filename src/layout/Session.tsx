import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { listen } from '../providers/live';
import { useSession } from '../providers/store';
import { useApplyMode } from './mode';

const open = ['/login', '/forgotpassword', '/resetpassword', '/invitation'];

/** What goes on behind every page: live events while logged in, the way to /login when the session ends, light or dark. */
export const Session = () => {
  const { t } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useApplyMode();

  useEffect(() => (t ? listen(client) : undefined), [t, client]);
  useEffect(() => {
    if (t || open.some((path) => pathname.startsWith(path))) return;
    client.clear();
    navigate('/login', { replace: true, state: { nextPathname: pathname, nextSearch: search } });
  }, [t, client, navigate, pathname, search]);
  return null;
};
