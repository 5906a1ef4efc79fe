import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { errorMessage } from '../../providers/errorMessage';
import { type Import, useSteps } from './import';

/** Progress while the server works, with a button to cancel. */
export const ImportProgress = ({ job, error }: { job: Import; error: Error | null }) => {
  const translate = useTranslate();
  const notify = useNotify();
  const { steer } = useSteps(job.id);
  const [isLeaving, setLeaving] = useState(false);
  const cancel = () => {
    setLeaving(true);
    steer('cancel').catch((error: Error) => {
      setLeaving(false);
      notify(error.message, { type: 'error' });
    });
  };
  const label = translate(`resources.imports.choices.state.${job.state}`);
  return (
    <section className="sl-import-work" aria-live="polite">
      <p>{label}</p>
      <progress max={100} value={job.progress} aria-label={label} />
      <p className="sl-field-help">{translate('imports.may_leave')}</p>
      <p className="sl-field-problem" role="alert">
        {error && errorMessage(error, translate)}
      </p>
      {job.state !== 'undoing' && (
        <button type="button" className="sl-button" disabled={isLeaving} onClick={cancel}>
          {translate('imports.cancel')}
        </button>
      )}
    </section>
  );
};
