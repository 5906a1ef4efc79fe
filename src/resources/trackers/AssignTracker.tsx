import './trackers.css';
import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useGetList, useNotify, useTranslate } from 'react-admin';
import { call } from '../../providers/call';
import { fetchRow } from '../../providers/rows';
import { FormField } from '../../ui/FormField';
import { Modal } from '../../ui/Modal';
import { canScan, ScanMachine } from './ScanMachine';

interface Props {
  tracker: { id: number; refno: string };
  onClose: () => void;
}

interface Chosen {
  id: number;
  serial_number: string;
  tracker_id: number | null;
}

/** Assigns a tracker to a machine; offers machines without one, and the one whose code is scanned. */
export function AssignTracker({ tracker, onClose }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const client = useQueryClient();
  const [words, setWords] = useState('');
  const search = useDeferredValue(words.trim());
  const [chosen, setChosen] = useState<Chosen>();
  const [problem, setProblem] = useState<string>();
  const { data: machines = [], isPending } = useGetList<Chosen>('machines', {
    filter: { tracker_id: null, ...(search ? { search } : {}) },
    sort: { field: 'serial_number', order: 'ASC' },
    pagination: { page: 1, perPage: 25 },
  });

  const assign = async () => {
    if (chosen === undefined)
      return setProblem(
        translate('validation.choose', { field: translate('resources.machines.name', { smart_count: 1 }) }),
      );
    try {
      await call('POST /trackers/{id}/assign', { params: { id: tracker.id }, body: { machine_id: chosen.id } });
      notify('trackers.assigned_to', { type: 'success', messageArgs: { machine: chosen.serial_number } });
      await Promise.all(['trackers', 'machines'].map((resource) => client.invalidateQueries({ queryKey: [resource] })));
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };

  const find = async (id: number) => {
    try {
      const { data } = await fetchRow('machines', id);
      setChosen(data);
      setProblem(undefined);
      setWords(data.serial_number);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  // A scanned machine may already have a tracker: offer it too.
  const offered = chosen && !machines.some(({ id }) => id === chosen.id) ? [chosen, ...machines] : machines;

  return (
    <Modal title={`${translate('trackers.assign')}: ${tracker.refno}`} onClose={onClose}>
      {canScan() && <ScanMachine onFound={(id) => void find(id)} />}
      <FormField
        label={translate('list.search')}
        type="search"
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      <fieldset className="sl-picks">
        <legend className="sl-hidden">{translate('resources.machines.plural')}</legend>
        {offered.map((machine) => (
          <label key={machine.id}>
            <input
              type="radio"
              name="machine"
              checked={chosen?.id === machine.id}
              onChange={() => setChosen(machine)}
            />{' '}
            {machine.serial_number}
          </label>
        ))}
        {!isPending && offered.length === 0 && <p>{translate('form.no_options')}</p>}
      </fieldset>
      {chosen?.tracker_id && <p>{translate('trackers.swap_text')}</p>}
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
          {translate('trackers.assign')}
        </button>
      </div>
    </Modal>
  );
}
