import { useQueryClient } from '@tanstack/react-query';
import { useGetList, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Row } from '../../../schema/dsl/entity';
import type { alerts } from '../../../schema/entities/alerts';
import { RelativeTime } from '../../layout/RelativeTime';
import { can } from '../../providers/auth';
import { useLive } from '../../providers/live';
import { pathOf } from '../entities';

/** The alerts of a machine that are not closed; nothing where there is none. */
export const MachineAlerts = ({ machine }: { machine: number }) => (can('alerts', 'list') ? <Standing machine={machine} /> : null);

function Standing({ machine }: { machine: number }) {
  const translate = useTranslate();
  const client = useQueryClient();
  useLive('resource/alerts', () => void client.invalidateQueries({ queryKey: ['alerts'] }));
  const { data = [] } = useGetList<Row<typeof alerts>>('alerts', {
    filter: { machine_ids: machine, state: ['open', 'acknowledged'] },
    sort: { field: 'opened_at', order: 'DESC' },
    pagination: { page: 1, perPage: 5 },
  });
  if (data.length === 0) return null;
  return (
    <ul className="sl-alert-banner" aria-label={translate('alerting.title')}>
      {data.map(({ id, summary, state, opened_at }) => (
        <li key={id}>
          <Link className="sl-text-link" to={pathOf('alerts', id)}>
            {summary}
          </Link>
          <span>{translate(`resources.alerts.choices.state.${state}`)}</span>
          <RelativeTime value={opened_at} />
        </li>
      ))}
    </ul>
  );
}
