import './service.css';
import './problem.css';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { problemKinds } from '../../../schema/entities/alerts';
import { isPermitted } from '../../crud/shared/entities';
import { Icon } from '../../ui/Icon';
import { Modal } from '../../ui/Modal';
import { useServerForm } from '../../ui/useServerForm';
import { FreeTextInput, KindInput, SubmitButtons } from './MachineFormFields';
import type { MachineRow } from './machineRow';
import { PhotosInput } from './PhotosInput';
import { useSubmitEntry } from './useSubmitEntry';

interface Values {
  problem: (typeof problemKinds)[number] | null;
  report: string;
  is_out_of_use: boolean;
}

interface ProblemProps {
  machine: Pick<MachineRow, 'id' | 'serial_number'>;
}

/** Button that opens the form to report a problem; nothing without the permission. */
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

/** The form to report a problem, as a dialog. */
export const ProblemDialog = ({ machine, onClose }: ProblemProps & { onClose: () => void }) => (
  <Modal title={useTranslate()('alerting.report.open')} className="sl-problem-modal" onClose={onClose}>
    <ProblemForm machine={machine} onClose={onClose} />
  </Modal>
);

/** Kind, photos and description of a problem. With a photo the description is optional. */
export function ProblemForm({ machine, onClose }: ProblemProps & { onClose: () => void }) {
  const translate = useTranslate();
  const submitEntry = useSubmitEntry();
  const [photos, setPhotos] = useState<File[]>([]);
  const { register, fieldAt, submit, busy, watch } = useServerForm<Values>({
    defaults: { problem: null, report: '', is_out_of_use: false },
    send: async (values) => {
      const words = values.report.trim() || translate('alerting.report.see_photo');
      await submitEntry(
        {
          kind: 'problem',
          about: machine.serial_number,
          words: `${translate(`resources.alerts.choices.problem.${values.problem}`)}: ${words}`,
          path: `machines/${machine.id}/problems`,
          body: { ...values, report: words },
          files: photos,
          filePath: 'alerts/{id}/photos',
        },
        { sent: 'alerting.report.sent', reload: ['alerts'] },
      );
      onClose();
    },
  });
  const [problem, report] = watch(['problem', 'report']);
  return (
    <form className="sl-service-form" onSubmit={submit} noValidate>
      <KindInput
        legend={translate('alerting.report.what')}
        kinds={problemKinds}
        texts="resources.alerts.choices.problem"
        field={register('problem')}
      />
      <PhotosInput photos={photos} onChange={setPhotos} />
      <FreeTextInput
        label={translate('alerting.report.text')}
        field={fieldAt('report')}
        maxLength={2000}
        isRequired={photos.length === 0}
      />
      <label className="sl-machine-check">
        <input type="checkbox" {...register('is_out_of_use')} />
        {translate('alerting.report.out')}
      </label>
      <SubmitButtons
        send="alerting.report.send"
        sending="alerting.report.sending"
        busy={busy}
        isReady={Boolean(problem) && (report.trim() !== '' || photos.length > 0)}
        onClose={onClose}
      />
    </form>
  );
}
