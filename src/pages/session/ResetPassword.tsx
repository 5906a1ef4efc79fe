import { useTranslate } from 'react-admin';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import { call } from '../../providers/call';
import { FormField } from '../../ui/FormField';
import { useServerForm } from '../../ui/useServerForm';
import { useTitle } from '../../ui/useTitle';
import { NewPassword } from './NewPassword';
import { newPasswordFields, useRules } from './rules';

interface Reset {
  /** The code from the mail; also part of the mailed link. */
  token: string;
  password: string;
  password_confirmation: string;
}

/** Sets a new password with the mailed code. Ends all sessions of the user. */
export const ResetPassword = () => {
  const translate = useTranslate();
  const navigate = useNavigate();
  const { token = '' } = useParams();
  // Known only right after the request. The server then accepts the code for this e-mail address only.
  const { email } = (useLocation().state ?? {}) as { email?: string };
  useTitle(translate('login.reset_title'));
  const labels = {
    token: translate('login.code'),
    password: translate('login.new_password'),
    password_confirmation: translate('login.confirm_password'),
  };
  const { fieldAt, submit, problemAt, watch, isBusy } = useServerForm<Reset>({
    defaults: { token, password: '', password_confirmation: '' },
    resolver: useRules<Reset>({ fields: newPasswordFields }, { labels }),
    send: async (body) => {
      await call('POST /users/verifyResetPassword', { body: { ...body, email } });
      navigate('/login');
    },
    toast: 'toasts.password_reset',
  });
  return (
    <div className="sl-session-card">
      <h1>{translate('login.reset_title')}</h1>
      <form className="sl-form" onSubmit={submit} noValidate>
        {(token === '' || problemAt('token')) && (
          <FormField label={labels.token} autoComplete="one-time-code" required {...fieldAt('token')} />
        )}
        <NewPassword labels={labels} typedPassword={watch('password')} fieldAt={fieldAt} />
        <button type="submit" className="sl-button sl-button-primary" disabled={isBusy}>
          {translate('login.reset_submit')}
        </button>
        {problemAt('token') && <Link to="/forgotpassword">{translate('login.send_code')}</Link>}
        <Link to="/login">{translate('login.back_to_login')}</Link>
      </form>
    </div>
  );
};
