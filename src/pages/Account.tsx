import { useLocale, useTranslate } from 'react-admin';
import type { Language } from '../../schema/texts/types';
import { roleName } from '../i18n/roles';
import { LanguageList } from '../layout/LanguageList';
import { PageHead } from '../layout/PageHead';
import { useAskLogout } from '../layout/useAskLogout';
import { can, currentUser } from '../providers/auth';
import { useSession } from '../providers/store';
import { BasicInformation } from './account/BasicInformation';
import { CalendarAddress } from './account/CalendarAddress';
import { ChangePassword } from './account/ChangePassword';
import { NotificationSettings } from './account/NotificationSettings';
import { ProfileNotice } from './account/ProfileNotice';

/** What users keep about themselves: profile, password, notifications, language, session. */
export const Account = () => {
  const translate = useTranslate();
  const askLogout = useAskLogout();
  const language = useLocale() as Language;
  // The user is read from the session's token: drawn again when it changes.
  useSession();
  const user = currentUser();
  if (!user) return null;
  return (
    <>
      <PageHead title={translate('account.title')} />
      <ProfileNotice />
      <div className="sl-cards">
        <section className="sl-card" aria-labelledby="basic">
          <h2 id="basic">{translate('account.basic')}</h2>
          <BasicInformation user={user} />
        </section>
        <section className="sl-card" aria-labelledby="password">
          <h2 id="password">{translate('account.password')}</h2>
          <ChangePassword user={user} />
        </section>
        <section className="sl-card" aria-labelledby="notifications">
          <h2 id="notifications">{translate('account.notifications')}</h2>
          <NotificationSettings user={user} />
        </section>
        {can('machines', 'list') && (
          <section className="sl-card" aria-labelledby="calendar">
            <h2 id="calendar">{translate('account.calendar')}</h2>
            <CalendarAddress />
          </section>
        )}
        <section className="sl-card" aria-labelledby="language">
          <h2 id="language">{translate('account.language')}</h2>
          <LanguageList />
        </section>
        <section className="sl-card" aria-labelledby="session">
          <h2 id="session">{translate('account.session')}</h2>
          <dl className="sl-facts">
            <dt>{translate('account.roles')}</dt>
            <dd>{user.roles.map((role) => roleName(role, language)).join(', ')}</dd>
          </dl>
          <button type="button" className="sl-button" onClick={askLogout}>
            {translate('frame.logout')}
          </button>
        </section>
      </div>
    </>
  );
};
