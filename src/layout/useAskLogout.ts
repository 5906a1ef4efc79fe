import { useCallback } from 'react';
import { useLogout, useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { useConfirm } from '../ui/ConfirmDialog';
import { runMutations } from '../ui/undoable';

/** Asks whether to log out; when confirmed the session ends and /login opens. */
export function useAskLogout(): () => Promise<void> {
  const confirm = useConfirm();
  const logout = useLogout();
  const translate = useTranslate();
  const navigate = useNavigate();
  return useCallback(async () => {
    // Afterwards there is no session that could send them.
    runMutations();
    const confirmed = await confirm({
      title: translate('dialogs.logout_title'),
      description: translate('dialogs.logout_text'),
      button: translate('dialogs.logout'),
    });
    if (!confirmed) return;
    await logout();
    // Whoever leaves on purpose is not led back to this page by the next login.
    navigate('/login', { replace: true });
  }, [confirm, logout, navigate, translate]);
}
