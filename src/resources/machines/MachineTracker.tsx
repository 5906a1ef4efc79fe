import { useState } from 'react';
import { useGetOne, useTranslate } from 'react-admin';
import { Link, useSearchParams } from 'react-router-dom';
import type { Row } from '../../../schema/dsl/entity';
import type { trackers } from '../../../schema/entities/trackers';
import { UnassignTracker } from '../../crud/dialogs/UnassignTracker';
import { usePathOf } from '../../crud/shared/paths';
import { useUpdateSearch } from '../../crud/shared/useUpdateSearch';
import { can } from '../../providers/auth';
import { RelativeTime } from '../../ui/RelativeTime';
import { ChooseTracker } from './ChooseTracker';
import type { MachineRow } from './machineRow';

/**
 * The machine's tracker, which can be assigned, swapped and unassigned. `?assign=7` opens the dialog with tracker 7.
 */
export function MachineTracker({ machine }: { machine: MachineRow }) {
  const pathOf = usePathOf();
  const translate = useTranslate();
  const [search] = useSearchParams();
  const updateSearch = useUpdateSearch();
  const requestedId = Number(search.get('assign') ?? Number.NaN);
  const [isChoosing, setChoosing] = useState(Number.isInteger(requestedId));
  const { tracker_id } = machine;
  const { data: tracker } = useGetOne<Row<typeof trackers> & { id: number }>(
    'trackers',
    { id: tracker_id ?? 0 },
    { enabled: Boolean(tracker_id) },
  );
  const mayChange = can('trackers', 'edit') && can('machines', 'edit');
  const close = () => {
    setChoosing(false);
    updateSearch({ assign: undefined });
  };
  return (
    <section className="sl-section sl-machine-tracker">
      <h2>{translate('resources.trackers.name', { smart_count: 1 })}</h2>
      {!tracker_id && <p className="sl-machine-count">{translate('trackers.none')}</p>}
      {tracker_id && tracker && (
        <p className="sl-machine-count">
          <Link to={pathOf('trackers', tracker.id)}>{tracker.refno}</Link>
          {tracker.tracker_or_serial !== tracker.refno && <> · {tracker.tracker_or_serial}</>} ·{' '}
          <RelativeTime value={tracker.last_seen} />
        </p>
      )}
      {mayChange && (
        <div className="sl-machine-tracker-actions">
          <button type="button" className="sl-button" onClick={() => setChoosing(true)}>
            {translate(tracker_id ? 'trackers.swap' : 'trackers.choose')}
          </button>
          {tracker_id && tracker && <UnassignTracker tracker={tracker} />}
        </div>
      )}
      {isChoosing && mayChange && (
        <ChooseTracker
          machine={machine}
          initialId={Number.isInteger(requestedId) ? requestedId : undefined}
          onClose={close}
        />
      )}
    </section>
  );
}
