import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { can } from '../providers/auth';
import { useOpenAlerts } from '../providers/openAlerts';
import { Icon } from '../ui/Icon';

/** Link to the open alerts with their live number. */
export const AlertBell = () => (can('alerts', 'list') ? <Bell /> : null);

const where = `/alerts?filter=${encodeURIComponent(JSON.stringify({ state: ['open'] }))}`;

function Bell() {
  const translate = useTranslate();
  const open = useOpenAlerts() ?? 0;
  const label = open === 0 ? translate('alerting.none_open') : translate('alerting.open_count', { smart_count: open });
  return (
    <Link className="sl-icon-button sl-bell" to={where} aria-label={label} title={label}>
      <Icon name="bell" />
      {open > 0 && <span aria-hidden="true">{open > 99 ? '99+' : open}</span>}
    </Link>
  );
}
