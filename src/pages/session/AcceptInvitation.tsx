import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { HttpError, useI18nProvider, useLocale, useTranslate } from 'react-admin';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { registry } from '../../../schema';
import { isLanguage, type Language } from '../../../schema/shared/languages';
import { roleName } from '../../i18n/roles';
import { startSession } from '../../providers/auth';
import { call } from '../../providers/call';
import { EmptyState } from '../../ui/EmptyState';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { useServerForm } from '../../ui/useServerForm';
import { useTitle } from '../../ui/useTitle';
import { NewPassword } from './NewPassword';
import { PersonName } from './PersonName';
import { newPasswordFields, useRules } from './rules';

interface Invitation {
  email: string;
  role: string;
  client: string | null;
  language: string | null;
}

/** Accepts an invitation, in its language: asks for name and password, then logs in. */
export const AcceptInvitation = () => {
  const translate = useTranslate();
  const { token = '' } = useParams();
  useTitle(translate('login.invitation_title'));
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call('GET /invitations/token/{token}', { params: { token } }),
    meta: { quiet: true },
  });
  const i18n = useI18nProvider();
  const invitedLanguage = data?.data.language;
  const appliedLanguageRef = useRef<string | null>(null);
  // Only once, because a change of language creates a new provider, and the user may choose another language.
  useEffect(() => {
    if (!isLanguage(invitedLanguage) || appliedLanguageRef.current === invitedLanguage) return;
    appliedLanguageRef.current = invitedLanguage;
    i18n?.changeLocale(invitedLanguage).catch(console.error);
  }, [i18n, invitedLanguage]);
  if (isPending) return <LoadingNotice what="data" />;
  if (!data) {
    if (!(error instanceof HttpError && error.status === 404))
      return <LoadFailed title={translate('login.invitation_title')} level={1} error={error} onRetry={refetch} />;
    return (
      <EmptyState
        icon="warning"
        level={1}
        title={translate('login.invitation_invalid')}
        action={
          <Link className="sl-button" to="/login">
            {translate('login.back_to_login')}
          </Link>
        }
      />
    );
  }
  return <Acceptance token={token} invitation={data.data} />;
};

interface NewUser {
  first_name: string;
  last_name: string;
  password: string;
  password_confirmation: string;
}

const Acceptance = ({ token, invitation: { email, role, client } }: { token: string; invitation: Invitation }) => {
  const translate = useTranslate();
  const language = useLocale() as Language;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { fieldAt, submit, watch, isBusy } = useServerForm<NewUser>({
    defaults: { first_name: '', last_name: '', password: '', password_confirmation: '' },
    resolver: useRules<NewUser>(newUser),
    send: async (values) => {
      startSession(await call('POST /invitations/accept', { body: { token, ...values } }));
      // The surrounding routes have cached "logged out" and would end the new session at once.
      await queries.resetQueries({ queryKey: ['auth'] });
      navigate('/');
    },
    toast: 'toasts.logged_in',
  });
  const label = (name: keyof NewUser) => translate(`resources.users.fields.${name}`);
  return (
    <div className="sl-session-card">
      <h1>{translate('login.invitation_title')}</h1>
      <form className="sl-form" onSubmit={submit} noValidate>
        <p>{translate('login.invitation_text', { email, role: roleName(role, language) })}</p>
        {client && <p>{translate('login.invitation_client', { client })}</p>}
        <PersonName fieldAt={fieldAt} />
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <NewPassword
          labels={{ password: label('password'), password_confirmation: label('password_confirmation') }}
          typedPassword={watch('password')}
          fieldAt={fieldAt}
        />
        <button type="submit" className="sl-button sl-button-primary" disabled={isBusy}>
          {translate('login.invitation_submit')}
        </button>
      </form>
    </div>
  );
};

const { first_name, last_name } = registry.users.fields;
const newUser = { fields: { first_name, last_name, ...newPasswordFields } } as const;
