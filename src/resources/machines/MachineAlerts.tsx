import { useQueryClient } from '@tanstack/react-query';
import { useGetList, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Row } from '../../../schema/dsl/entity';
import type { alerts } from '../../../schema/entities/alerts';
import { AlertTime } from '../../crud/fields/AlertTime';
import { pathOf } from '../../crud/shared/paths';
import { can } from '../../providers/auth';
import { useLive } from '../../providers/useLive';
import { RelativeTime } from '../../ui/RelativeTime';

/** The machine's open alerts and recently solved problem reports; renders nothing without any. */
export const MachineAlerts = ({ machine }: { machine: number }) =>
  can('alerts', 'list') ? <AlertBanners machine={machine} /> : null;

type AlertRow = Row<typeof alerts>;

const latestFirst = { sort: { field: 'opened_at', order: 'DESC' as const }, pagination: { page: 1, perPage: 5 } };
/** Number of days for which a solved problem is shown. */
const recentDays = 7;

function AlertBanners({ machine }: { machine: number }) {
  const translate = useTranslate();
  const client = useQueryClient();
  useLive('resource/alerts', () => void client.invalidateQueries({ queryKey: ['alerts'] }));
  const { data: openAlerts = [] } = useGetList<AlertRow>('alerts', {
    ...latestFirst,
    filter: { machine_ids: machine, state: ['open', 'acknowledged'] },
  });
  const { data: solvedAlerts = [] } = useGetList<AlertRow>('alerts', {
    ...latestFirst,
    filter: { machine_ids: machine, state: 'closed', metric: 'reported', closed_at: `>=-${recentDays}d` },
  });
  return (
    <>
      {openAlerts.length > 0 && <Banner label={translate('alerting.title')} alerts={openAlerts} />}
      {solvedAlerts.length > 0 && <Banner label={translate('alerting.report.recent')} alerts={solvedAlerts} isSolved />}
    </>
  );
}

const Banner = ({
  label,
  alerts,
  isSolved = false,
}: {
  label: string;
  alerts: readonly AlertRow[];
  isSolved?: boolean;
}) => (
  <ul className="sl-alert-banner" aria-label={label} data-solved={isSolved}>
    {alerts.map((alert) => (
      <AlertLine key={alert.id} alert={alert} />
    ))}
  </ul>
);

function AlertLine({ alert }: { alert: AlertRow }) {
  const { id, summary, state, acknowledged_by, closed_by, closed_at, report } = alert;
  const translate = useTranslate();
  const actor = state === 'closed' ? closed_by : state === 'acknowledged' ? acknowledged_by : null;
  return (
    <li>
      <Link className="sl-text-link" to={pathOf('alerts', id)}>
        {summary}
      </Link>
      <span>
        {actor
          ? translate(`alerting.done.${state}`, { name: actor })
          : translate(`resources.alerts.choices.state.${state}`)}
      </span>
      {state === 'closed' ? <RelativeTime value={closed_at} /> : <AlertTime alert={alert} />}
      {report && <p>{report}</p>}
    </li>
  );
}
