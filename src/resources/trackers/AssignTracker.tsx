import './trackers.css';
import { useState } from 'react';
import { useGetList, useTranslate } from 'react-admin';
import { useAssignTracker } from '../../crud/dialogs/useAssignTracker';
import { fetchRow } from '../../providers/rows';
import { DialogActions } from '../../ui/DialogActions';
import { FormField } from '../../ui/FormField';
import { Modal } from '../../ui/Modal';
import { ProblemText } from '../../ui/ProblemText';
import { useDebouncedValue } from '../../ui/useDebouncedValue';
import { canScan } from './canScan';
import { ScanMachine } from './ScanMachine';

/** Milliseconds between the last keystroke and the request. */
const typingDelay = 250;

interface Props {
  tracker: { id: number; refno: string };
  onClose: () => void;
}

interface MachineChoice {
  id: number;
  serial_number: string;
  tracker_id: number | null;
}

/** Assigns a tracker to a machine: the user picks one without a tracker, or scans a machine's QR code. */
export function AssignTracker({ tracker, onClose }: Props) {
  const translate = useTranslate();
  const [text, setText] = useState('');
  const search = useDebouncedValue(text.trim(), typingDelay);
  const [machineChoice, setMachineChoice] = useState<MachineChoice>();
  const { run, isBusy, problem, setProblem, assign } = useAssignTracker(onClose);
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

  const selectById = (id: number) =>
    run(async () => {
      const { data } = await fetchRow('machines', id);
      setMachineChoice(data);
      setProblem(undefined);
      setText(data.serial_number);
    });
  // Also offers a scanned machine that already has a tracker.
  const options =
    machineChoice && !machines.some(({ id }) => id === machineChoice.id) ? [machineChoice, ...machines] : machines;

  return (
    <Modal title={`${translate('trackers.assign')}: ${tracker.refno}`} onClose={onClose}>
      {canScan() && <ScanMachine onFound={(id) => void selectById(id)} />}
      <FormField
        label={translate('list.search')}
        type="search"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <fieldset className="sl-picks">
        <legend className="sl-hidden">{translate('resources.machines.plural')}</legend>
        {options.map((machine) => (
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
        {!isPending && options.length === 0 && <p>{translate('form.no_options')}</p>}
      </fieldset>
      {machineChoice?.tracker_id && <p>{translate('trackers.swap_text')}</p>}
      {problem && <ProblemText>{problem}</ProblemText>}
      <DialogActions label={translate('trackers.assign')} isDisabled={isBusy} onClose={onClose} onAct={submit} />
    </Modal>
  );
}
