import './trackers.css';
import { useState } from 'react';
import { useGetList, useListContext, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Row } from '../../../schema/dsl/entity';
import type { trackers } from '../../../schema/entities/trackers';
import { usePathOf } from '../../crud/shared/paths';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber } from '../../i18n/format';
import { can } from '../../providers/auth';
import { EmptyState } from '../../ui/EmptyState';
import { Icon } from '../../ui/Icon';
import { LoadFailed } from '../../ui/LoadFailed';
import { RelativeTime } from '../../ui/RelativeTime';
import { AssignTracker } from './AssignTracker';
import { unassignedFilter } from './unassignedFilter';

type UnassignedTracker = Row<typeof trackers> & { id: number };

/** Maximum number of trackers, most recent first. Others follow as these are assigned. */
const maxTrackers = 50;

/** Keys of the placeholders shown while loading. */
const placeholders = [1, 2, 3];

/**
 * Unassigned trackers that send messages: last message, number of messages, position, and a button to assign a machine.
 */
export function TrackerInbox() {
  const translate = useTranslate();
  const { filterValues } = useListContext();
  const [assigning, setAssigning] = useState<UnassignedTracker>();
  const { data, error, refetch } = useGetList<UnassignedTracker>('trackers', {
    filter: { ...filterValues, ...unassignedFilter },
    sort: { field: 'last_seen', order: 'DESC' },
    pagination: { page: 1, perPage: maxTrackers },
  });
  if (error && !data)
    return <LoadFailed title={translate('list.error')} error={error} onRetry={() => void refetch()} />;
  if (data?.length === 0)
    return <EmptyState title={translate('trackers.inbox_empty')} text={translate('trackers.inbox_text')} icon="mail" />;
  return (
    <>
      <p className="sl-device-text">{translate('trackers.inbox_text')}</p>
      <ul className="sl-devices" aria-busy={data === undefined}>
        {!data &&
          placeholders.map((placeholder) => (
            <li key={placeholder} className="sl-device-item sl-device-empty" aria-hidden="true" />
          ))}
        {data?.map((tracker) => (
          <TrackerItem key={tracker.id} tracker={tracker} onAssign={() => setAssigning(tracker)} />
        ))}
      </ul>
      {assigning && <AssignTracker tracker={assigning} onClose={() => setAssigning(undefined)} />}
    </>
  );
}

function TrackerItem({ tracker, onAssign }: { tracker: UnassignedTracker; onAssign: () => void }) {
  const translate = useTranslate();
  const pathOf = usePathOf();
  const { id, tracker_or_serial: device, messages, last_seen, last_payload, latitude, longitude } = tracker;
  return (
    <li className="sl-device-item">
      <div className="sl-device-head">
        <Link to={pathOf('trackers', id)}>{device}</Link>
        <span>
          {translate('trackers.messages', { smart_count: messages ?? 0 })} · <RelativeTime value={last_seen} />
        </span>
      </div>
      <pre className="sl-device-payload">{last_payload}</pre>
      <div className="sl-device-foot">
        <span className="sl-device-place">
          <Icon name="pin" size={16} />
          <Coordinates latitude={latitude} longitude={longitude} />
        </span>
        {can('trackers', 'edit') && can('machines', 'edit') && (
          <button
            type="button"
            className="sl-button sl-button-primary"
            onClick={onAssign}
            aria-label={`${translate('trackers.assign')}: ${device}`}
          >
            {translate('trackers.assign')}
          </button>
        )}
      </div>
    </li>
  );
}

function Coordinates({
  latitude,
  longitude,
}: {
  latitude: number | null | undefined;
  longitude: number | null | undefined;
}) {
  const translate = useTranslate();
  const language = useLanguage();
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return translate('trackers.no_place');
  const degrees = (value: number) => `${formatNumber(value, { language, decimals: 4 })}°`;
  return `${degrees(latitude)} / ${degrees(longitude)}`;
}
