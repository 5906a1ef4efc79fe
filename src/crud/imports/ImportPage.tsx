import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useParams } from 'react-router-dom';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { PageHead } from '../../ui/PageHead';
import { CheckStep } from './CheckStep';
import { ColumnsStep } from './ColumnsStep';
import '../fields/fields.css';
import './imports.css';
import { ImportProgress } from './ImportProgress';
import { ImportReport } from './ImportReport';
import { type Import, isBusy, useImport } from './import';
import { missingRequiredFields } from './importFields';
import { type StepName, Steps } from './Steps';
import { useImportToast } from './useImportToast';
import { useStepStart } from './useStepStart';

/** An import after the upload: columns, rows, report. Its URL never changes, so that users can leave and return. */
export const ImportPage = () => {
  const { id } = useParams<'id'>();
  return <ImportSteps key={id} id={id} />;
};

const ImportSteps = ({ id }: { id: string | undefined }) => {
  const translate = useTranslate();
  const { data, error, refetch } = useImport(id);
  useImportToast(data);
  const [pickedStep, setPickedStep] = useState<StepChoice>();
  const step = data && stepOf(data, pickedStep === 'encoding' ? 'columns' : pickedStep);
  useStepStart(data && `${step} ${isBusy(data)}`);
  if (error && !data)
    return (
      <LoadFailed level={1} title={translate('imports.not_loaded')} error={error} onRetry={() => void refetch()} />
    );
  if (!data || !step)
    return (
      <>
        <PageHead title={translate('resources.imports.plural')} />
        <LoadingNotice what="data" />
      </>
    );
  return (
    <article className="sl-import">
      <PageHead
        title={data.file_name}
        count={[`resources.${data.resource}.plural`, `resources.imports.choices.state.${data.state}`]
          .map((key) => translate(key))
          .join(' · ')}
        crumbs={[
          { headerName: `resources.${data.resource}.plural`, link: `/${data.resource}` },
          { headerName: 'resources.imports.plural', link: '/imports' },
          { headerName: `#${data.id}` },
        ]}
      />
      <Steps current={step} />
      <Body job={data} error={error} step={step} startsAtEncoding={pickedStep === 'encoding'} onStep={setPickedStep} />
    </article>
  );
};

/** The step that the user chose; `encoding` opens the columns step at that setting. */
type StepChoice = 'columns' | 'check' | 'encoding';

interface BodyProps {
  job: Import;
  error: Error | null;
  step: StepName;
  startsAtEncoding: boolean;
  onStep: (step: StepChoice) => void;
}

const Body = ({ job, error, step, startsAtEncoding, onStep }: BodyProps) => {
  if (isBusy(job)) return <ImportProgress job={job} error={error} />;
  if (step === 'columns')
    return <ColumnsStep key={job.id} job={job} startsAtEncoding={startsAtEncoding} onChecked={() => onStep('check')} />;
  if (step === 'check')
    return <CheckStep job={job} onColumns={() => onStep('columns')} onEncoding={() => onStep('encoding')} />;
  return <ImportReport job={job} onColumns={() => onStep('columns')} />;
};

/**
 * The step to show. Once the rows are checked, the user chooses; the default is the columns step if the server could
 * not map a column or a required field is unfilled, else the check.
 */
function stepOf(job: Import, pickedStep: 'columns' | 'check' | undefined): StepName {
  const { state, columns, problem, counts } = job;
  if (state === 'failed' && problem) return pickedStep === 'columns' && columns.length > 0 ? 'columns' : 'report';
  if (['done', 'undone', 'undoing', 'cancelled', 'committing'].includes(state)) return 'report';
  if (state === 'waiting' || state === 'checking') return 'check';
  const mapping = columns.map(({ target }) => target);
  const lacksFields =
    counts.error > 0 && missingRequiredFields(job, mapping).some((name) => !job.settings.fixed?.[name]);
  return (
    pickedStep ??
    (lacksFields || columns.some(({ left_out }) => left_out === 'unknown' || left_out === 'twice')
      ? 'columns'
      : 'check')
  );
}
