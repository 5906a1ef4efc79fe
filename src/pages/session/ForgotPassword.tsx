import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { Link, useNavigate } from 'react-router-dom';
import { registry } from '../../../schema';
import { call } from '../../providers/call';
import { FormField } from '../../ui/FormField';
import { SuccessDialog } from '../../ui/SuccessDialog';
import { useServerForm } from '../../ui/useServerForm';
import { useTitle } from '../../ui/useTitle';
import { useRules } from './rules';

/** Requests a mail with a code and link for a new password. The response does not reveal whether the address exists. */
export const ForgotPassword = () => {
  const translate = useTranslate();
  const navigate = useNavigate();
  const [sentTo, setSentTo] = useState<string>();
  useTitle(translate('login.forgot_title'));
  const { fieldAt, submit, isBusy } = useServerForm<{ email: string }>({
    defaults: { email: '' },
    resolver: useRules(registry.users),
    send: async (body) => {
      await call('POST /users/forgotPassword', { body });
      setSentTo(body.email);
    },
    toast: 'toasts.code_sent',
  });
  return (
    <div className="sl-session-card">
      <h1>{translate('login.forgot_title')}</h1>
      <form className="sl-form" onSubmit={submit} noValidate>
        <p>{translate('login.forgot_text')}</p>
        <FormField
          label={translate('login.email')}
          type="email"
          autoComplete="username"
          required
          {...fieldAt('email')}
        />
        <button type="submit" className="sl-button sl-button-primary" disabled={isBusy}>
          {translate('login.send_code')}
        </button>
        <Link to="/resetpassword">{translate('login.enter_code')}</Link>
        <Link to="/login">{translate('login.back_to_login')}</Link>
      </form>
      <SuccessDialog
        open={sentTo !== undefined}
        message={translate('login.code_sent_text')}
        onClose={() => navigate('/resetpassword', { state: { email: sentTo } })}
      />
    </div>
  );
};
