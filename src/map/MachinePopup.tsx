import { useGetOne, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { StateName } from '../../schema/entities/machines';
import { usePathOf } from '../crud/shared/paths';
import { useLanguage } from '../crud/shared/useLanguage';
import { formatDateTime, formatPercent } from '../i18n/format';
import { errorMessage } from '../providers/errorMessage';
import { RelativeTime } from '../ui/RelativeTime';
import { StateMark } from '../ui/StateMark';
import { Popover } from './Popover';

interface Machine {
  id: number;
  serial_number: string;
  status: StateName;
  latitude: number;
  longitude: number;
}

interface Details extends Machine {
  status_since: string | null;
  status_reason: string | null;
  battery: number | null;
  last_seen: string | null;
  location?: { name: string; city: string } | null;
}

/** A machine's name, state and last message, with a link to its page. */
export function MachinePopup({
  machine,
  takesFocus,
  onClose,
}: {
  machine: Machine;
  takesFocus: boolean;
  onClose: () => void;
}) {
  const translate = useTranslate();
  const language = useLanguage();
  const pathOf = usePathOf();
  const { data, error } = useGetOne<Details>('machines', { id: machine.id, meta: { include: ['location'] } });

  return (
    <Popover position={[machine.latitude, machine.longitude]} takesFocus={takesFocus} onClose={onClose}>
      <Link className="sl-popup__title" to={pathOf('machines', machine.id)}>
        {machine.serial_number}
      </Link>
      <StateMark state={data?.status ?? machine.status} />
      <p className="sl-popup__why">
        {data ? (
          <StateReason since={data.status_since} reason={data.status_reason} />
        ) : error ? (
          errorMessage(error, translate)
        ) : (
          translate('frame.loading')
        )}
      </p>
      <dl className="sl-popup__facts">
        <dt>{translate('resources.machines.fields.last_seen')}</dt>
        <dd>
          <RelativeTime value={data?.last_seen} />
        </dd>
        <dt>{translate('resources.machines.fields.battery')}</dt>
        <dd>{typeof data?.battery === 'number' ? formatPercent(data.battery, { language }) : '–'}</dd>
        <dt>{translate('resources.machines.fields.location_id')}</dt>
        <dd>{data?.location ? `${data.location.name}, ${data.location.city}` : '–'}</dd>
      </dl>
    </Popover>
  );
}

/** Start and reason of the machine's state, as text, since touch screens have no hover. */
function StateReason({ since, reason }: { since: string | null; reason: string | null }) {
  const translate = useTranslate();
  return (
    <>{[since && translate('machine.since', { time: formatDateTime(since) }), reason].filter(Boolean).join(' · ')}</>
  );
}
