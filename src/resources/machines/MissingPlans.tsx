import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { can } from '../../providers/auth';
import { fetchRows } from '../../providers/rows';

const maxFloors = 5;

/** Names up to five floors of a location that have no plan, with upload links for users who may edit floors. */
export function MissingPlans({ locationId }: { locationId: number }) {
  const translate = useTranslate();
  const { data } = useQuery({
    queryKey: ['floors', 'without_plan', locationId],
    queryFn: ({ signal }) =>
      fetchRows('floors', {
        fields: ['id', 'name', 'plan'],
        filter: [
          { path: 'location_id', values: [String(locationId)] },
          { path: 'plan', values: ['null'] },
        ],
        per_page: maxFloors,
        sort: [{ path: 'level', descending: false }],
        signal,
      }),
    enabled: can('floors', 'list'),
  });
  if (!data || data.data.length === 0) return null;
  return (
    <ul className="sl-missing-plans">
      {data.data.map(({ id, name }) => (
        <li key={id}>
          {translate('plan.missing', { name })}{' '}
          {can('floors', 'edit') && <Link to={`/floors/${id}`}>{translate('floors.upload')}</Link>}
        </li>
      ))}
    </ul>
  );
}
