import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { EndpointResponse } from '../../../schema/endpoints';
import { usePathOf } from '../../crud/shared/paths';
import { formatDateTime } from '../../i18n/format';
import { call } from '../../providers/call';
import type { MachineRow } from './machineRow';

/**
 * A machine's stay at a location. `from` is null if it began when the machine was created, `to` if it is ongoing,
 * `location` if it is outside the user's scope.
 */
type Stay = EndpointResponse<'GET /machines/{id}/stays'>['data'][number];

/** The machine's stays, newest first. */
export function Stays({ machine }: { machine: MachineRow }) {
  const pathOf = usePathOf();
  const translate = useTranslate();
  const { data, isError } = useQuery({
    queryKey: ['machines', 'stays', machine.id, machine.location_id],
    queryFn: ({ signal }) =>
      call('GET /machines/{id}/stays', { params: { id: machine.id }, signal }).then(({ data: stays }) => stays),
  });
  return (
    <section className="sl-section" aria-busy={!data && !isError}>
      <h2>{translate('machine.stood')}</h2>
      {isError && <p role="alert">{translate('errors.generic')}</p>}
      {data?.length === 0 && <p className="sl-machine-count">{translate('machine.stood_empty')}</p>}
      <ol className="sl-stays">
        {data?.map((stay) => (
          <li key={stay.from ?? 'first'}>
            {stay.location ? (
              <span>
                <Link to={pathOf('locations', stay.location.id)}>{stay.location.name}</Link>
                {stay.location.city && `, ${stay.location.city}`}
              </span>
            ) : (
              <span>{translate('machine.stood_unseen')}</span>
            )}
            <StayTimes stay={stay} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function StayTimes({ stay: { from, to } }: { stay: Stay }) {
  const translate = useTranslate();
  const [start, end] = [from && formatDateTime(from), to && formatDateTime(to)];
  const text = () => {
    if (start && end) return `${start} – ${end}`;
    if (start) return translate('machine.since', { time: start });
    return end ? translate('machine.stood_until', { time: end }) : translate('machine.stood_first');
  };
  return <span className="sl-stays__time">{text()}</span>;
}
