import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { Link, useParams } from 'react-router-dom';
import { call } from '../../providers/call';
import { errorMessage } from '../../providers/errorMessage';
import { Icon } from '../../ui/Icon';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { useTitle } from '../../ui/useTitle';

/** Target of the link in verification mails, for logged-in and logged-out users. */
export const VerifyEmail = () => {
  const translate = useTranslate();
  const { token = '' } = useParams();
  useTitle(translate('login.verify_title'));
  // The link works only once: a second request, by a retry or by refetching all queries, would report it as invalid.
  const { error, isPending } = useQuery({
    queryKey: ['verify', token],
    queryFn: () => call('POST /emails/verify', { body: { token } }),
    retry: false,
    staleTime: 'static',
    meta: { quiet: true },
  });
  return (
    <div className="sl-session-card">
      <h1>{translate('login.verify_title')}</h1>
      {isPending ? (
        <LoadingNotice what="data" />
      ) : (
        <div className="sl-form">
          <p className="sl-verify" role={error ? 'alert' : 'status'}>
            <Icon name={error ? 'warning' : 'success'} />{' '}
            {error ? errorMessage(error, translate) : translate('login.verified')}
          </p>
          <Link to="/account">{translate('login.to_account')}</Link>
        </div>
      )}
    </div>
  );
};
