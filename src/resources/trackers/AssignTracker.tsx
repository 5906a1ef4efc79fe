import './trackers.css';
import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useGetList, useNotify, useTranslate } from 'react-admin';
import { Modal } from '../../layout/Modal';
import { Field } from '../../pages/Field';
import { api } from '../../providers/http';

interface Props {
  tracker: { id: number; refno: string };
  onClose: () => void;
}

/** Asks for which machine a tracker sends; machines without one are offered. */
export function AssignTracker({ tracker, onClose }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const client = useQueryClient();
  const [words, setWords] = useState('');
  const search = useDeferredValue(words.trim());
  const [chosen, setChosen] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const { data: machines = [], isPending } = useGetList<{ id: number; serial_number: string }>('machines', {
    filter: { tracker_id: null, ...(search ? { search } : {}) },
    sort: { field: 'serial_number', order: 'ASC' },
    pagination: { page: 1, perPage: 25 },
  });

  const assign = async () => {
    if (chosen === undefined) return setProblem(translate('validation.choose', { field: translate('resources.machines.name', { smart_count: 1 }) }));
    try {
      await api(`trackers/${tracker.id}/assign`, { method: 'POST', body: { machine_id: chosen } });
      const machine = machines.find(({ id }) => id === chosen)?.serial_number ?? '';
      notify('trackers.assigned_to', { type: 'success', messageArgs: { machine } });
      await Promise.all(['trackers', 'machines'].map((resource) => client.invalidateQueries({ queryKey: [resource] })));
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <Modal title={`${translate('trackers.assign')}: ${tracker.refno}`} onClose={onClose}>
      <Field label={translate('list.search')} type="search" value={words} onChange={({ target }) => setWords(target.value)} />
      <fieldset className="sl-picks">
        <legend className="sl-hidden">{translate('resources.machines.plural')}</legend>
        {machines.map(({ id, serial_number }) => (
          <label key={id}>
            <input type="radio" name="machine" checked={chosen === id} onChange={() => setChosen(id)} /> {serial_number}
          </label>
        ))}
        {!isPending && machines.length === 0 && <p>{translate('form.no_options')}</p>}
      </fieldset>
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
