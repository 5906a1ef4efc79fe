import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { refreshUser } from '../../providers/auth';
import { errorMessage } from '../../providers/errorMessage';
import { Icon } from '../../ui/Icon';

/** Reloads the session's user, and reports why if that fails. */
export const ProfileNotice = () => {
  const translate = useTranslate();
  const { error, isFetching, refetch } = useQuery({
    queryKey: ['profile'],
    queryFn: async () => {
      await refreshUser();
      // TanStack Query rejects `undefined`.
      return null;
    },
    staleTime: 0,
    meta: { quiet: true },
  });
  if (!error) return null;
  return (
    <div className="sl-notice" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{translate('account.not_loaded')}</strong>
        <p>{errorMessage(error, translate)}</p>
      </div>
      <button type="button" className="sl-button" disabled={isFetching} onClick={() => void refetch()}>
        {translate('list.retry')}
      </button>
    </div>
  );
};
