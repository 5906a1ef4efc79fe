import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { Navigate, useLocation } from 'react-router-dom';
import { type CurrentUser, currentUser } from '../../providers/auth';
import { useSession } from '../../providers/session';
import { useCrumbs } from '../../ui/crumbs';
import { PageHead } from '../../ui/PageHead';
import { TabBar } from '../../ui/TabBar';
import { BasicTab } from './BasicTab';
import { Card } from './Card';
import { ChangePassword } from './ChangePassword';
import { MyData } from './MyData';
import { NotificationSettings } from './NotificationSettings';
import { ProfileNotice } from './ProfileNotice';
import { Sessions } from './Sessions';
import { Tokens } from './Tokens';
import { TwoFactor } from './TwoFactor';
import { type AccountTab, accountPath, accountTabs } from './tabs';
import { Walls } from './Walls';

/** The user's account, with one tab per topic. */
export const Account = () => {
  const translate = useTranslate();
  const { pathname } = useLocation();
  // Renders again when the session's user token changes.
  useSession();
  const user = currentUser();
  const openTab = accountTabs.find((tab) => accountPath(tab) === pathname.replace(/\/+$/, ''));
  useCrumbs(
    openTab && openTab !== 'basic'
      ? [{ headerName: 'frame.account', link: '/account' }, { headerName: `account.tabs.${openTab}` }]
      : undefined,
  );
  if (!user) return null;
  if (!openTab) return <Navigate to="/account" replace />;
  return (
    <>
      <PageHead title={translate('account.title')} />
      <ProfileNotice />
      <TabBar
        label={translate('account.title')}
        tabs={accountTabs.map((tab) => ({ to: accountPath(tab), label: translate(`account.tabs.${tab}`) }))}
        current={accountPath(openTab)}
      />
      {contents[openTab](user, translate)}
    </>
  );
};

const contents: Record<AccountTab, (user: CurrentUser, translate: (key: string) => string) => ReactNode> = {
  basic: (user) => <BasicTab user={user} />,
  password: (user, translate) => (
    <div className="sl-cards">
      <Card title={translate('account.password')}>
        <ChangePassword user={user} />
      </Card>
    </div>
  ),
  notifications: (user, translate) => (
    <div className="sl-cards">
      <Card title={translate('account.notifications')}>
        <NotificationSettings user={user} />
      </Card>
    </div>
  ),
  sessions: (_, translate) => (
    <Card title={translate('account.sessions')}>
      <Sessions />
    </Card>
  ),
  tokens: () => <Tokens />,
  walls: () => <Walls />,
  two_factor: (user) => <TwoFactor user={user} />,
  data: (user) => <MyData user={user} />,
};
