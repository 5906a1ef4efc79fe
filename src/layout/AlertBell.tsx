import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { can } from '../providers/auth';
import { useInbox, useLiveInbox } from '../providers/useInbox';
import { Icon } from '../ui/Icon';

/** Link to the inbox with the live number of its items. */
export const AlertBell = () => (['alerts', 'machines', 'imports'].some((name) => can(name, 'list')) ? <Bell /> : null);

/** Milliseconds before the bell requests the inbox, so that the page's own requests come first. */
const startDelay = 1000;

function Bell() {
  const translate = useTranslate();
  const [enabled, setEnabled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setEnabled(true), startDelay);
    return () => clearTimeout(timer);
  }, []);
  useLiveInbox();
  const total = useInbox({ enabled }).data?.total ?? 0;
  const label = total === 0 ? translate('inbox.bell_none') : translate('inbox.bell', { smart_count: total });
  return (
    <Link className="sl-icon-button sl-bell" to="/#inbox" aria-label={label} title={label}>
      <Icon name="bell" />
      {total > 0 && <span aria-hidden="true">{total > 99 ? '99+' : total}</span>}
    </Link>
  );
}
