import type { RaRecord } from 'ra-core';
import { HttpError, useTranslate } from 'react-admin';
import { namedRoles } from '../../../schema/shared/roles';
import { can, currentUser } from '../../providers/auth';
import { call } from '../../providers/call';
import { useConfirm } from '../../ui/ConfirmProvider';
import { useToast } from '../../ui/useToast';

const actions = [
  {
    path: 'sessions',
    button: 'account.others.sessions',
    title: 'account.others.sessions_title',
    text: 'account.others.sessions_text',
    toast: 'toasts.sessions_ended',
    isAdminOnly: false,
  },
  {
    path: 'second-factor',
    button: 'account.others.second_factor',
    title: 'account.others.second_factor_title',
    text: 'account.others.second_factor_text',
    toast: 'toasts.second_factor_ended',
    isAdminOnly: true,
  },
] as const;

/** Help for users who lost a device: ends all their sessions, or resets the second factor, which only Admins may do. */
export const AccountActions = ({ user }: { user: RaRecord }) => {
  const translate = useTranslate();
  const confirm = useConfirm();
  const notify = useToast();
  const ownUser = currentUser();
  if (!ownUser || ownUser.id === user.id || !can('users', 'edit') || user.deleted_at) return null;
  const isAdmin = ownUser.roles.includes(namedRoles.admin.name);

  const run = async ({ path, button, title, text, toast }: (typeof actions)[number]) => {
    const name = `${user.first_name} ${user.last_name}`;
    if (
      !(await confirm({ title: translate(title, { name }), description: translate(text), button: translate(button) }))
    )
      return;
    try {
      await call(`DELETE /users/{id}/${path}`, { params: { id: user.id } });
      notify('success', toast);
    } catch (error) {
      console.error(error);
      const isMissing = path === 'second-factor' && error instanceof HttpError && error.status === 404;
      notify(
        'error',
        isMissing ? 'account.others.none' : error instanceof HttpError ? error.message : 'errors.generic',
      );
    }
  };
  return actions
    .filter(({ isAdminOnly }) => isAdmin || !isAdminOnly)
    .map((action) => (
      <button key={action.path} type="button" className="sl-button" onClick={() => void run(action)}>
        {translate(action.button)}
      </button>
    ));
};
