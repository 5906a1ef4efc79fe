import { useCallback } from 'react';
import { useLogout, useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { countWaitingEntries } from '../providers/deviceStore';
import { deviceUser } from '../providers/lastSeen';
import { useConfirm } from '../ui/ConfirmProvider';
import { runMutations } from '../ui/undoable';

/** Returns a function that asks for confirmation, ends the session and opens /login. */
export function useAskLogout(): () => Promise<void> {
  const confirm = useConfirm();
  const logout = useLogout();
  const translate = useTranslate();
  const navigate = useNavigate();
  return useCallback(async () => {
    // Pending changes can only be sent while the session exists.
    runMutations();
    const waiting = await countWaitingEntries(deviceUser() ?? 0);
    const note = waiting > 0 ? [translate('outbox.waiting_logout', { smart_count: waiting })] : [];
    const confirmed = await confirm({
      title: translate('dialogs.logout_title'),
      description: [translate('dialogs.logout_text'), ...note].join(' '),
      button: translate('dialogs.logout'),
    });
    if (!confirmed) return;
    await logout();
    // After a deliberate logout the next login opens the dashboard, not this page.
    navigate('/login', { replace: true });
  }, [confirm, logout, navigate, translate]);
}
