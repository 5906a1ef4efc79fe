import './view.css';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { currentUser } from '../providers/auth';
import { endImpersonation } from '../providers/impersonation';
import { useSession } from '../providers/session';
import { Icon } from '../ui/Icon';
import { useToast } from '../ui/useToast';

/** Banner on every page during impersonation: names the administrator and the viewed user. */
export const ViewBanner = () => {
  const translate = useTranslate();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const { t } = useSession();
  const toast = useToast();
  const user = currentUser();
  const impersonator = user?.impersonated_by;
  const previousBy = useRef(impersonator);
  // Returns to the administrator's own session when the impersonation ends or expires.
  useEffect(() => {
    const hasEnded = previousBy.current !== undefined && impersonator === undefined && t !== '';
    previousBy.current = impersonator;
    if (!hasEnded) return;
    client.clear();
    navigate('/users');
    toast('info', 'view.over');
  }, [impersonator, t, client, navigate, toast]);
  if (!user || impersonator === undefined) return null;
  const end = async () => {
    setBusy(true);
    await endImpersonation();
    setBusy(false);
  };
  return (
    <section className="sl-view-banner" aria-label={translate('view.title')}>
      <Icon name="show" size={18} />
      <p role="status">{translate('view.text', { name: `${user.first_name} ${user.last_name}`, by: impersonator })}</p>
      <button type="button" className="sl-button" disabled={isBusy} onClick={() => void end()}>
        {translate('view.end')}
      </button>
    </section>
  );
};
