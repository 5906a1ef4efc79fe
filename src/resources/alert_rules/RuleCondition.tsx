import './rules.css';
import { useTranslate } from 'ra-core';
import { Fragment, type ReactNode } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { type AlertMetric, alertMetrics, gracePeriodMetrics, thresholds } from '../../../schema/entities/alert_rules';
import { stateNames } from '../../../schema/entities/machines';
import { inputId } from '../../crud/fields/FieldInput';
import { ProblemText } from '../../ui/ProblemText';
import { RulePreview } from './RulePreview';

const label = (name: string) => `resources.alert_rules.fields.${name}`;
/** Values to set when the user chooses a metric. */
const defaultsByMetric: Partial<Record<AlertMetric, Record<string, unknown>>> = {
  offline: { hold_time: 1800 },
  state: { state: 'Parked', hold_time: 28_800 },
  battery: { threshold: 20 },
  left_site: { hold_time: 300 },
  cleaned_less: { threshold: 80 },
  service_due: { threshold: 7 },
  run_incomplete: { threshold: 90 },
  run_interrupted: { threshold: 15 },
  // Clears the view, since saved views of rules list machines.
  zone_uncleaned: { threshold: 3, view_id: null },
};

/** The condition of a rule as a sentence with inputs. Shows below how often the rule would have fired. */
export function RuleCondition() {
  const translate = useTranslate();
  const { setValue } = useFormContext();
  const metric = (useWatch({ name: 'metric' }) ?? 'offline') as AlertMetric;
  const choose = (next: AlertMetric) => {
    const values = {
      state: null,
      threshold: null,
      error_code: null,
      hold_time: 0,
      ...defaultsByMetric[next],
      metric: next,
    };
    for (const [name, value] of Object.entries(values))
      setValue(name, value, { shouldDirty: true, shouldValidate: true });
  };
  const inputs: Record<string, ReactNode> = {
    metric: (
      <select
        className="sl-select"
        id={inputId('metric')}
        aria-label={translate(label('metric'))}
        value={metric}
        onChange={({ target }) => choose(target.value as AlertMetric)}
      >
        {alertMetrics.map((option) => (
          <option key={option} value={option}>
            {translate(`alerting.metric.${option}`)}
          </option>
        ))}
      </select>
    ),
    state: <StateInput />,
    threshold: <RuleNumberInput name="threshold" {...thresholds[metric]} />,
    hold: <RuleNumberInput name="hold_time" min={0} max={10_080} per={60} />,
    code: <CodeInput />,
  };
  const sentence = translate(
    `alerting.when.${metric}`,
    Object.fromEntries(Object.keys(inputs).map((name) => [name, `%{${name}}`])),
  );
  return (
    <div className="sl-rule">
      <p className="sl-rule-sentence">
        {sentence.split(/%\{(\w+)\}/).map((part, index) => (
          // The select of the metric stays the same element, since a new one would lose the focus.
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence are never reordered
          <Fragment key={part === 'metric' ? part : `${metric} ${index}`}>
            {index % 2 === 1 ? inputs[part] : part}
          </Fragment>
        ))}
      </p>
      <Problems
        names={['state', 'threshold', 'error_code', ...(gracePeriodMetrics.includes(metric) ? ['hold_time'] : [])]}
      />
      <RulePreview />
    </div>
  );
}

function StateInput() {
  const translate = useTranslate();
  const { register } = useFormContext();
  return (
    <select className="sl-select" id={inputId('state')} aria-label={translate(label('state'))} {...register('state')}>
      {stateNames.map((state) => (
        <option key={state} value={state}>
          {translate(`resources.alert_rules.choices.state.${state}`)}
        </option>
      ))}
    </select>
  );
}

function CodeInput() {
  const translate = useTranslate();
  const { setValue } = useFormContext();
  const value = useWatch({ name: 'error_code' }) as string | null;
  return (
    <input
      className="sl-input sl-rule-code"
      id={inputId('error_code')}
      aria-label={translate(label('error_code'))}
      placeholder={translate('alerting.any_code')}
      value={value ?? ''}
      onChange={({ target }) =>
        setValue('error_code', target.value === '' ? null : target.value, { shouldDirty: true })
      }
    />
  );
}

/** Integer input. One unit of the input is `per` stored units, such as 60 seconds for an input in minutes. */
function RuleNumberInput({ name, min, max, per = 1 }: { name: string; min?: number; max?: number; per?: number }) {
  const translate = useTranslate();
  const { setValue } = useFormContext();
  const value = useWatch({ name }) as number | null;
  return (
    <input
      className="sl-input sl-rule-number"
      type="number"
      id={inputId(name)}
      aria-label={translate(label(name))}
      min={min}
      max={max}
      value={value === null || value === undefined ? '' : Math.round(Number(value) / per)}
      onChange={({ target }) =>
        setValue(name, target.value === '' ? null : Math.round(Number(target.value) * per), {
          shouldDirty: true,
          shouldValidate: true,
        })
      }
    />
  );
}

/** Validation messages of the sentence's inputs. */
function Problems({ names }: { names: readonly string[] }) {
  const { formState } = useFormContext();
  const messages = names.flatMap((name) => {
    const message = formState.errors[name]?.message;
    return typeof message === 'string' ? [message] : [];
  });
  return <ProblemText>{messages.join(' ')}</ProblemText>;
}
