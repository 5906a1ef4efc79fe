import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import type { CurrentUser } from '../../providers/auth';
import { call } from '../../providers/call';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { NotificationMatrix } from './NotificationMatrix';

/** The channels on which the user accepts notifications, and the events for each channel. */
export const NotificationSettings = ({ user }: { user: CurrentUser }) => {
  const translate = useTranslate();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['account', 'notifications'],
    queryFn: async () => (await call('GET /account/notifications')).data,
    meta: { quiet: true },
  });
  if (isPending) return <LoadingNotice what="data" />;
  if (!data)
    return <LoadFailed title={translate('account.choices_not_loaded')} error={error} onRetry={() => void refetch()} />;
  return <NotificationMatrix user={user} choices={data} />;
};
