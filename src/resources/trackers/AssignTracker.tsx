import './trackers.css';
import { useDeferredValue, useState } from 'react';
import { useGetList, useTranslate } from 'react-admin';
import { useAssignTracker } from '../../crud/dialogs/useAssignTracker';
import { fetchRow } from '../../providers/rows';
import { DialogActions } from '../../ui/DialogActions';
import { FormField } from '../../ui/FormField';
import { Modal } from '../../ui/Modal';
import { ProblemText } from '../../ui/ProblemText';
import { canScan, ScanMachine } from './ScanMachine';

interface Props {
  tracker: { id: number; refno: string };
  onClose: () => void;
}

interface MachineChoice {
  id: number;
  serial_number: string;
  tracker_id: number | null;
}

/** Assigns a tracker to a machine; offers machines without one, and the one whose code is scanned. */
export function AssignTracker({ tracker, onClose }: Props) {
  const translate = useTranslate();
  const [words, setWords] = useState('');
  const search = useDeferredValue(words.trim());
  const [machineChoice, setMachineChoice] = useState<MachineChoice>();
  const { run, problem, setProblem, assign } = useAssignTracker(onClose);
  const { data: machines = [], isPending } = useGetList<MachineChoice>('machines', {
    filter: { tracker_id: null, ...(search ? { search } : {}) },
    sort: { field: 'serial_number', order: 'ASC' },
    pagination: { page: 1, perPage: 25 },
  });

  const submit = () => {
    const field = translate('resources.machines.name', { smart_count: 1 });
    if (machineChoice === undefined) setProblem(translate('validation.choose', { field }));
    else void assign(tracker.id, machineChoice);
  };

  const find = (id: number) =>
    run(async () => {
      const { data } = await fetchRow('machines', id);
      setMachineChoice(data);
      setProblem(undefined);
      setWords(data.serial_number);
    });
  // A scanned machine may already have a tracker: offer it too.
  const offered =
    machineChoice && !machines.some(({ id }) => id === machineChoice.id) ? [machineChoice, ...machines] : machines;

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
              checked={machineChoice?.id === machine.id}
              onChange={() => setMachineChoice(machine)}
            />{' '}
            {machine.serial_number}
          </label>
        ))}
        {!isPending && offered.length === 0 && <p>{translate('form.no_options')}</p>}
      </fieldset>
      {machineChoice?.tracker_id && <p>{translate('trackers.swap_text')}</p>}
      {problem && <ProblemText>{problem}</ProblemText>}
      <DialogActions label={translate('trackers.assign')} onClose={onClose} onAct={submit} />
    </Modal>
  );
}
