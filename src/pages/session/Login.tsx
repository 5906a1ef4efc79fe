import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { HttpError, useLocale, useLogin, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Language } from '../../../schema/shared/languages';
import { roleName } from '../../i18n/roles';
import { SecondFactorRequired } from '../../providers/auth';
import { call } from '../../providers/call';
import { FormField } from '../../ui/FormField';
import { useServerForm } from '../../ui/useServerForm';
import { useTitle } from '../../ui/useTitle';
import { useToast } from '../../ui/useToast';
import { ProviderLogin } from './ProviderLogin';
import { SecondStep } from './SecondStep';
import { WaitingEntries } from './WaitingEntries';

interface Credentials {
  email: string;
  password: string;
}

interface DemoLogin extends Credentials {
  role: string;
}

/** The login page, with one-click logins on demo servers. */
export const Login = () => {
  const translate = useTranslate();
  const language = useLocale() as Language;
  const login = useLogin();
  const [isEntering, setEntering] = useState(false);
  const [ticket, setTicket] = useState<string>();
  const toast = useToast();
  const loginFirstStep = async (credentials: Credentials | { sso: string }) => {
    try {
      await login(credentials);
      toast('success', 'toasts.logged_in');
    } catch (error) {
      if (!(error instanceof SecondFactorRequired)) throw error;
      setTicket(error.ticket);
    }
  };
  const { fieldAt, submit, setFocus, isBusy } = useServerForm<Credentials>({
    defaults: { email: '', password: '' },
    send: loginFirstStep,
  });
  const demo = useQuery({
    queryKey: ['demo'],
    queryFn: () => call('GET /demo'),
    retry: false,
    meta: { quiet: true },
  });
  useTitle(translate('login.title'));
  useEffect(() => setFocus('email'), [setFocus]);

  const enter = async (demoLogin: DemoLogin) => {
    setEntering(true);
    try {
      await loginFirstStep({ email: demoLogin.email, password: demoLogin.password });
    } catch (error) {
      toast('error', error instanceof HttpError ? error.message : 'errors.generic');
    }
    setEntering(false);
  };

  if (ticket !== undefined)
    return (
      <div className="sl-session-card">
        <h1>{translate('login.title')}</h1>
        <SecondStep send={(code) => login({ ticket, code })} onBack={() => setTicket(undefined)} />
      </div>
    );
  return (
    <div className="sl-session-card">
      <h1>{translate('login.title')}</h1>
      <WaitingEntries />
      <form className="sl-form" onSubmit={submit} noValidate>
        <FormField
          label={translate('login.email')}
          type="email"
          autoComplete="username"
          required
          {...fieldAt('email')}
        />
        <FormField
          label={translate('login.password')}
          type="password"
          autoComplete="current-password"
          required
          {...fieldAt('password')}
        />
        <button type="submit" className="sl-button sl-button-primary" disabled={isBusy}>
          {translate('login.submit')}
        </button>
        <Link to="/forgotpassword">{translate('login.forgot')}</Link>
      </form>
      <ProviderLogin send={(sso) => loginFirstStep({ sso })} />
      {demo.data && demo.data.data.length > 0 && (
        <section className="sl-demo" aria-labelledby="demo-title">
          <h2 id="demo-title">{translate('login.demo_title')}</h2>
          <p>{translate('login.demo_text')}</p>
          <div className="sl-demo-logins">
            {demo.data.data.map((demoLogin) => (
              <button
                key={demoLogin.email}
                type="button"
                className="sl-button"
                disabled={isEntering || isBusy}
                onClick={() => enter(demoLogin)}
              >
                {roleName(demoLogin.role, language)}
              </button>
            ))}
          </div>
        </section>
      )}
    </div>
  );
};
