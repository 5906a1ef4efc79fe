import { useCallback } from 'react';
import { useLogout, useTranslate } from 'react-admin';
import { useConfirm } from './ConfirmDialog';

/** Asks whether to log out; when confirmed the session ends and /login opens. */
export function useAskLogout(): () => Promise<void> {
  const confirm = useConfirm();
  const logout = useLogout();
  const translate = useTranslate();
  return useCallback(async () => {
    const confirmed = await confirm({
      title: translate('dialogs.logout_title'),
      description: translate('dialogs.logout_text'),
      button: translate('dialogs.logout'),
    });
    if (confirmed) await logout({}, '/login', false);
  }, [confirm, logout, translate]);
}
