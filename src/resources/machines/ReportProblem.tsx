import './problem.css';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { isPermitted } from '../../crud/shared/entities';
import { Icon } from '../../ui/Icon';
import { Modal } from '../../ui/Modal';
import type { MachineRow } from './machineRow';
import { ProblemFields } from './ProblemFields';
import { useSubmitEntry } from './useSubmitEntry';

interface ProblemProps {
  machine: Pick<MachineRow, 'id' | 'serial_number'>;
}

/** Button that opens the form for reporting a problem. Renders nothing if the user may not report problems. */
export function ReportProblem({ machine }: ProblemProps) {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  if (!isPermitted('machines.report')) return null;
  return (
    <div className="sl-problem">
      <button type="button" className="sl-button" onClick={() => setOpen(true)}>
        <Icon name="warning" size={16} />
        {translate('alerting.report.open')}
      </button>
      {isOpen && <ProblemDialog machine={machine} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** The form for reporting a problem, in a dialog that names the machine. */
export const ProblemDialog = ({ machine, onClose }: ProblemProps & { onClose: () => void }) => (
  <Modal
    title={`${useTranslate()('alerting.report.open')}: ${machine.serial_number}`}
    className="sl-problem-modal"
    onClose={onClose}
  >
    <ProblemForm machine={machine} onClose={onClose} />
  </Modal>
);

/** The form for reporting a problem of a machine. Without a network the report waits on the device. */
export function ProblemForm({ machine, onClose }: ProblemProps & { onClose: () => void }) {
  const translate = useTranslate();
  const submitEntry = useSubmitEntry();
  return (
    <ProblemFields
      onClose={onClose}
      send={async (report, { photos }) => {
        await submitEntry(
          {
            kind: 'problem',
            about: machine.serial_number,
            words: `${translate(`resources.alerts.choices.problem.${report.problem}`)}: ${report.report}`,
            path: `machines/${machine.id}/problems`,
            body: report,
            files: [...photos],
            filePath: 'alerts/{id}/photos',
          },
          { sent: 'alerting.report.sent', reload: ['alerts'] },
        );
        onClose();
      }}
    />
  );
}
