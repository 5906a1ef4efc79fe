import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { trackers } from '../../../schema/entities/trackers';
import { useAssignTracker } from '../../crud/dialogs/useAssignTracker';
import { RowPicker } from '../../crud/fields/RowPicker';
import { DialogActions } from '../../ui/DialogActions';
import { Modal } from '../../ui/Modal';
import type { MachineRow } from './machineRow';

interface Props {
  machine: MachineRow;
  /** Tracker to preselect. */
  initialId: number | undefined;
  onClose: () => void;
}

/** Dialog that assigns an unassigned tracker to the machine. */
export function ChooseTracker({ machine, initialId, onClose }: Props) {
  const translate = useTranslate();
  const [trackerIds, setTrackerIds] = useState<readonly number[]>(initialId === undefined ? [] : [initialId]);
  const { isBusy, problem, setProblem, assign } = useAssignTracker(onClose);
  const actionLabel = translate(machine.tracker_id ? 'trackers.swap' : 'trackers.choose');
  const name = translate('resources.trackers.name', { smart_count: 1 });

  const submit = () => {
    const [tracker] = trackerIds;
    if (tracker === undefined) setProblem(translate('validation.choose', { field: name }));
    else void assign(tracker, machine);
  };

  return (
    <Modal title={`${actionLabel}: ${machine.serial_number}`} onClose={onClose}>
      {machine.tracker_id && <p>{translate('trackers.swap_text')}</p>}
      <div className="sl-machine-choose">
        <RowPicker
          entity={trackers}
          value={trackerIds}
          onChange={setTrackerIds}
          filter={{ assigned: false }}
          label={name}
          invalid={problem !== undefined}
        />
      </div>
      {problem && (
        <p className="sl-field-problem" role="alert">
          {problem}
        </p>
      )}
      <DialogActions label={actionLabel} isDisabled={isBusy} onClose={onClose} onAct={submit} />
    </Modal>
  );
}
