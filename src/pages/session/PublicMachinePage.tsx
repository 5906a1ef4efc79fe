import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { HttpError, useTranslate } from 'react-admin';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { call } from '../../providers/call';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { PublicFrame } from './PublicFrame';
import { PublicProblemForm } from './PublicProblemForm';

/**
 * The page behind a machine's QR code for users without a session. Shows the form of a problem report if the client
 * allows it, else the login, which returns to the machine.
 */
export const PublicMachinePage = ({ machine }: { machine: number }) => {
  const translate = useTranslate();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [outcome, setOutcome] = useState<'sent' | 'photos_failed'>();
  const { data, error, refetch } = useQuery({
    queryKey: ['public', 'machines', machine],
    queryFn: async ({ signal }) => (await call('GET /public/machines/{id}', { params: { id: machine }, signal })).data,
    meta: { quiet: true },
  });
  // After too many requests from one IP address, only the login is offered.
  const isUnavailable = data?.product === null || (error instanceof HttpError && error.status === 429);
  const afterLogin = { nextPathname: pathname, nextSearch: search };
  useEffect(() => {
    if (isUnavailable) navigate('/login', { replace: true, state: { nextPathname: pathname, nextSearch: search } });
  }, [isUnavailable, navigate, pathname, search]);
  if (!data?.product) {
    return error && !isUnavailable ? (
      <PublicFrame>
        <LoadFailed title={translate('public_page.title')} error={error} onRetry={refetch} />
      </PublicFrame>
    ) : (
      <LoadingNotice what="data" />
    );
  }
  return (
    <PublicFrame>
      <div className="sl-session-card sl-public-problem">
        <h1>{translate('public_page.title')}</h1>
        {outcome ? (
          <p role="status">{translate(`public_page.${outcome}`)}</p>
        ) : (
          <>
            <p>{translate('public_page.text', { product: data.product })}</p>
            <PublicProblemForm machine={machine} onSent={setOutcome} />
          </>
        )}
        <p>
          <Link to="/login" state={afterLogin}>
            {translate('public_page.login')}
          </Link>
        </p>
      </div>
    </PublicFrame>
  );
};
