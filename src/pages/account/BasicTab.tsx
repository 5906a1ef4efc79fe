import { useLocale, useTranslate } from 'react-admin';
import type { Language } from '../../../schema/shared/languages';
import { roleName } from '../../i18n/roles';
import { LanguageList } from '../../layout/LanguageList';
import { useAskLogout } from '../../layout/useAskLogout';
import { type CurrentUser, can } from '../../providers/auth';
import { BasicInformation } from './BasicInformation';
import { CalendarAddress } from './CalendarAddress';
import { Card } from './Card';
import { Emails } from './Emails';

/** The user's data, e-mail addresses, language, calendar and roles, and logout. */
export const BasicTab = ({ user }: { user: CurrentUser }) => {
  const translate = useTranslate();
  const askLogout = useAskLogout();
  const language = useLocale() as Language;
  return (
    <div className="sl-cards">
      <Card title={translate('account.basic')}>
        <BasicInformation user={user} />
      </Card>
      <Card title={translate('account.emails')}>
        <Emails />
      </Card>
      <Card title={translate('account.language')}>
        <LanguageList />
      </Card>
      {can('machines', 'list') && (
        <Card title={translate('account.calendar')}>
          <CalendarAddress />
        </Card>
      )}
      <Card title={translate('account.session')}>
        <dl className="sl-facts">
          <dt>{translate('account.roles')}</dt>
          <dd>{user.roles.map((role) => roleName(role, language)).join(', ')}</dd>
        </dl>
        <button type="button" className="sl-button" onClick={askLogout}>
          {translate('frame.logout')}
        </button>
      </Card>
    </div>
  );
};
