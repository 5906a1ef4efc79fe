import { useTranslate } from 'react-admin';
import type { CurrentUser } from '../../providers/auth';
import { call } from '../../providers/call';
import { useServerForm } from '../../ui/useServerForm';
import { NewPassword } from '../session/NewPassword';
import { newPasswordFields, useRules } from '../session/rules';
import { OwnPassword } from './OwnPassword';

interface Passwords {
  current_password: string;
  password: string;
  password_confirmation: string;
}

const emptyPasswords: Passwords = { current_password: '', password: '', password_confirmation: '' };

/** Changes the password after checking the current one. Ends the user's other sessions. */
export const ChangePassword = ({ user }: { user: CurrentUser }) => {
  const translate = useTranslate();
  const labels = {
    current_password: translate('account.current_password'),
    password: translate('account.new_password'),
    password_confirmation: translate('account.confirm_password'),
  };
  const { fieldAt, submit, watch, isBusy, reset } = useServerForm<Passwords>({
    defaults: emptyPasswords,
    resolver: useRules<Passwords>({ fields: newPasswordFields }, { labels }),
    send: async (body) => {
      await call('POST /users/{id}/password', { params: { id: user.id }, body });
      reset(emptyPasswords);
    },
    toast: 'toasts.password_changed',
  });
  return (
    <form className="sl-form" onSubmit={submit} noValidate>
      <p className="sl-none">{translate('account.other_sessions')}</p>
      <OwnPassword user={user} field={fieldAt('current_password')} />
      <NewPassword labels={labels} typedPassword={watch('password')} fieldAt={fieldAt} />
      <button type="submit" className="sl-button sl-button-primary" disabled={isBusy}>
        {translate('account.change_password')}
      </button>
    </form>
  );
};
