import './service.css';
import './problem.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { EndpointRequest } from '../../../schema/endpoints';
import { problemKinds } from '../../../schema/entities/alerts';
import { holds } from '../../crud/shared/entities';
import { useServerForm } from '../../pages/session/useServerForm';
import { call } from '../../providers/call';
import { Icon } from '../../ui/Icon';
import { Modal } from '../../ui/Modal';
import { FreeTextInput, KindInput, SubmitButtons } from './MachineFormFields';

interface Values {
  problem: (typeof problemKinds)[number] | null;
  report: string;
  is_out_of_use: boolean;
}

/** Form to report a problem, used beside the machine. */
export function ReportProblem({ machine }: { machine: number }) {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  if (!holds('machines.report')) return null;
  return (
    <div className="sl-problem">
      <button type="button" className="sl-button" onClick={() => setOpen(true)}>
        <Icon name="warning" size={16} />
        {translate('alerting.report.open')}
      </button>
      {isOpen && (
        <Modal title={translate('alerting.report.open')} className="sl-problem-modal" onClose={() => setOpen(false)}>
          <ProblemForm machine={machine} onClose={() => setOpen(false)} />
        </Modal>
      )}
    </div>
  );
}

function ProblemForm({ machine, onClose }: { machine: number; onClose: () => void }) {
  const translate = useTranslate();
  const client = useQueryClient();
  // Idempotency key: repeated sends create one report.
  const [key] = useState(() => crypto.getRandomValues(new Uint32Array(4)).join('-'));
  const { register, fieldAt, submit, busy, watch } = useServerForm<Values>({
    defaults: { problem: null, report: '', is_out_of_use: false },
    done: 'alerting.report.sent',
    send: async (body) => {
      await call('POST /machines/{id}/problems', {
        params: { id: machine },
        // Without a kind the server refuses at the field.
        body: body as EndpointRequest<'POST /machines/{id}/problems'>['body'],
        headers: { 'Idempotency-Key': key },
      });
      await client.invalidateQueries({ queryKey: ['alerts'] });
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
      <FreeTextInput label={translate('alerting.report.text')} field={fieldAt('report')} maxLength={2000} isRequired />
      <label className="sl-machine-check">
        <input type="checkbox" {...register('is_out_of_use')} />
        {translate('alerting.report.out')}
      </label>
      <SubmitButtons
        send="alerting.report.send"
        sending="alerting.report.sending"
        busy={busy}
        isReady={Boolean(problem) && report.trim() !== ''}
        onClose={onClose}
      />
    </form>
  );
}
