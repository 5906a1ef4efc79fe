import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { trackers } from '../../../schema/entities/trackers';
import { RowPicker } from '../../crud/fields/RowPicker';
import { call } from '../../providers/call';
import { Modal } from '../../ui/Modal';
import type { MachineRow } from './machine';

interface Props {
  machine: MachineRow;
  /** Preselected tracker. */
  first: number | undefined;
  onClose: () => void;
}

/** Assigns a tracker to the machine; offers unassigned ones. */
export function ChooseTracker({ machine, first, onClose }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<readonly number[]>(first === undefined ? [] : [first]);
  const [problem, setProblem] = useState<string>();
  const verb = translate(machine.tracker_id ? 'trackers.swap' : 'trackers.choose');
  const name = translate('resources.trackers.name', { smart_count: 1 });

  const assign = async () => {
    const [tracker] = chosen;
    if (tracker === undefined) return setProblem(translate('validation.choose', { field: name }));
    try {
      await call('POST /trackers/{id}/assign', { params: { id: tracker }, body: { machine_id: machine.id } });
      notify('trackers.assigned_to', { type: 'success', messageArgs: { machine: machine.serial_number } });
      await Promise.all(['trackers', 'machines'].map((resource) => client.invalidateQueries({ queryKey: [resource] })));
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <Modal title={`${verb}: ${machine.serial_number}`} onClose={onClose}>
      {machine.tracker_id && <p>{translate('trackers.swap_text')}</p>}
      <div className="sl-machine-choose">
        <RowPicker
          entity={trackers}
          value={chosen}
          onChange={setChosen}
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
      <div className="sl-modal-actions">
        <button type="button" className="sl-button" onClick={onClose}>
          {translate('dialogs.cancel')}
        </button>
        <button type="button" className="sl-button sl-button-primary" onClick={() => void assign()}>
          {verb}
        </button>
      </div>
    </Modal>
  );
}
