import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useLocation, useNavigate } from 'react-router-dom';
import { call } from '../../providers/call';
import { apiBase } from '../../providers/http';

/** Link to the identity provider, if one is configured. Also completes the login when the provider redirects back. */
export const ProviderLogin = ({ send }: { send: (ticket: string) => Promise<unknown> }) => {
  const translate = useTranslate();
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<'login.sso_failed' | 'login.sso_unknown'>();
  const outcome = /^#sso=([\w-]+)$/.exec(hash)?.[1];
  const usedOutcome = useRef('');
  const { data } = useQuery({
    queryKey: ['login', 'methods'],
    queryFn: async () => (await call('GET /login/methods')).data,
    retry: false,
    meta: { quiet: true },
  });

  useEffect(() => {
    if (!outcome || usedOutcome.current === outcome) return;
    // A ticket works only once, so it is removed from the URL before use.
    usedOutcome.current = outcome;
    navigate('/login', { replace: true });
    if (outcome === 'failed' || outcome === 'unknown') setProblem(`login.sso_${outcome}`);
    else
      send(outcome).catch((error: unknown) => {
        console.error(error);
        setProblem('login.sso_failed');
      });
  }, [outcome, navigate, send]);

  return (
    <>
      {problem && (
        <p className="sl-field-problem sl-sso-problem" role="alert">
          {translate(problem)}
        </p>
      )}
      {data?.oidc && (
        <a className="sl-button sl-sso" href={`${apiBase}/login/oidc`}>
          {translate('login.sso')}
        </a>
      )}
    </>
  );
};
