import { useTranslate } from 'react-admin';

const steps = ['file', 'columns', 'check', 'report'] as const;
export type StepName = (typeof steps)[number];

/** Shows which step of an import is open. The steps are not links; the buttons below lead to them. */
export const Steps = ({ current }: { current: StepName }) => {
  const translate = useTranslate();
  return (
    <ol className="sl-steps" aria-label={translate('imports.steps')}>
      {steps.map((step, index) => (
        <li key={step} data-done={index < steps.indexOf(current)} aria-current={step === current ? 'step' : undefined}>
          <span className="sl-steps-number" aria-hidden="true">
            {index + 1}
          </span>
          {translate(`imports.step_${step}`)}
        </li>
      ))}
    </ol>
  );
};
