import './view.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { currentUser } from '../providers/auth';
import { endView } from '../providers/impersonation';
import { useSession } from '../providers/store';
import { Icon } from './Icon';

/** Says on every page whose eyes look, while an administrator sees the product as another user. */
export const ViewBanner = () => {
  const translate = useTranslate();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  useSession();
  const user = currentUser();
  if (!user?.impersonated_by) return null;
  const end = async () => {
    setBusy(true);
    await endView();
    client.clear();
    setBusy(false);
    navigate('/users');
  };
  return (
    <section className="sl-view-banner" aria-label={translate('view.title')}>
      <Icon name="show" size={18} />
      <p role="status">{translate('view.text', { name: `${user.first_name} ${user.last_name}`, by: user.impersonated_by })}</p>
      <button type="button" className="sl-button" disabled={isBusy} onClick={() => void end()}>
        {translate('view.end')}
      </button>
    </section>
  );
};
