import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { errorMessage } from '../../providers/errorMessage';
import { ProblemText } from '../../ui/ProblemText';
import { type Import, useImportSteps } from './import';

/** Progress of the server's work on an import, with a button to cancel. */
export const ImportProgress = ({ job, error }: { job: Import; error: Error | null }) => {
  const translate = useTranslate();
  const notify = useNotify();
  const { runStep } = useImportSteps(job.id);
  const [isCancelling, setCancelling] = useState(false);
  const cancel = () => {
    setCancelling(true);
    runStep('cancel').catch((error: Error) => {
      setCancelling(false);
      notify(error.message, { type: 'error' });
    });
  };
  const label = translate(`resources.imports.choices.state.${job.state}`);
  return (
    <section className="sl-import-work" aria-live="polite">
      <p>{label}</p>
      <progress max={100} value={job.progress} aria-label={label} />
      <p className="sl-field-help">{translate('imports.may_leave')}</p>
      <ProblemText>{error && errorMessage(error, translate)}</ProblemText>
      {job.state !== 'undoing' && (
        <button type="button" className="sl-button" disabled={isCancelling} onClick={cancel}>
          {translate('imports.cancel')}
        </button>
      )}
    </section>
  );
};
