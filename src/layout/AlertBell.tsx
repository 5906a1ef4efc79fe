import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useGetList, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { can } from '../providers/auth';
import { useLive } from '../providers/live';
import { Icon } from './Icon';

/** Leads to the open alerts and says how many there are, at every moment. */
export const AlertBell = () => (can('alerts', 'list') ? <Bell /> : null);

/** Milliseconds: what the page itself asks for goes first. */
const courtesy = 4000;

const where = `/alerts?filter=${encodeURIComponent(JSON.stringify({ state: ['open'] }))}`;

function Bell() {
  const translate = useTranslate();
  const client = useQueryClient();
  useLive('resource/alerts', () => void client.invalidateQueries({ queryKey: ['alerts'] }));
  const [isFirst, setFirst] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setFirst(false), courtesy);
    return () => clearTimeout(timer);
  }, []);
  const { total = 0 } = useGetList(
    'alerts',
    { filter: { state: ['open'] }, sort: { field: 'id', order: 'DESC' }, pagination: { page: 1, perPage: 1 } },
    { enabled: !isFirst },
  );
  const label = total === 0 ? translate('alerting.none_open') : translate('alerting.open_count', { smart_count: total });
  return (
    <Link className="sl-icon-button sl-bell" to={where} aria-label={label} title={label}>
      <Icon name="bell" />
      {total > 0 && <span aria-hidden="true">{total > 99 ? '99+' : total}</span>}
    </Link>
  );
}
