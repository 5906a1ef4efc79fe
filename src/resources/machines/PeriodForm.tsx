import { type FormEvent, useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { countPeriodDays, groups, maxPeriodDays } from '../../charts/period';
import { formatDate, parseDate } from '../../i18n/format';
import { FormField } from '../../ui/FormField';
import type { ChosenPeriod } from './usePeriod';

interface Props {
  period: ChosenPeriod;
  onChoose: (next: Partial<ChosenPeriod>) => void;
  /** Whether to offer grouping. */
  grouped?: boolean;
}

/** Form for a period: start and end as dd.mm.yyyy, or the last n days. */
export function PeriodForm({ period, onChoose, grouped = false }: Props) {
  const translate = useTranslate();
  const { from, to } = period;
  const days = period.days ?? countPeriodDays(period);
  const [inputs, setInputs] = useState({ from: formatDate(from), to: formatDate(to), days: String(days) });
  const [problem, setProblem] = useState<{ fieldName: 'from' | 'to' | 'days'; message: string }>();
  useEffect(() => {
    setInputs({ from: formatDate(from), to: formatDate(to), days: String(days) });
    setProblem(undefined);
  }, [from, to, days]);

  const reportProblem = (
    fieldName: 'from' | 'to' | 'days',
    key: string,
    values: Record<string, string | number> = {},
  ) =>
    setProblem({
      fieldName,
      message: translate(`validation.${key}`, {
        field: translate(fieldName === 'days' ? 'machine.show_period' : `machine.${fieldName}`),
        ...values,
      }),
    });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (inputs.days !== String(days)) {
      const count = Number(inputs.days);
      if (!Number.isInteger(count)) return reportProblem('days', 'integer');
      if (count < 1) return reportProblem('days', 'min', { min: 1 });
      if (count > maxPeriodDays) return reportProblem('days', 'max', { max: maxPeriodDays });
      return onChoose({ days: count });
    }
    const [first, last] = [parseDate(inputs.from), parseDate(inputs.to)];
    if (!first) return reportProblem('from', 'date');
    if (!last) return reportProblem('to', 'date');
    if (first > last) return setProblem({ fieldName: 'to', message: translate('machine.ends_before') });
    if (countPeriodDays({ from: first, to: last }) > maxPeriodDays)
      return reportProblem('days', 'max', { max: maxPeriodDays });
    setProblem(undefined);
    if (first !== from || last !== to) onChoose({ from: first, to: last });
  };
  const field = (name: 'from' | 'to' | 'days') => ({
    value: inputs[name],
    problem: problem?.fieldName === name ? problem.message : undefined,
    onChange: ({ target }: { target: HTMLInputElement }) => setInputs({ ...inputs, [name]: target.value }),
  });

  return (
    <form className="sl-period" onSubmit={submit} noValidate>
      {grouped && (
        <fieldset className="sl-period__groups">
          <legend>{translate('machine.group_by')}</legend>
          {groups.map((group) => (
            <label key={group}>
              <input
                type="radio"
                name="group"
                value={group}
                checked={period.group === group}
                onChange={() => onChoose({ group })}
              />
              <span>{translate(`machine.${group}`)}</span>
            </label>
          ))}
        </fieldset>
      )}
      <FormField
        label={translate('machine.from')}
        placeholder={translate('form.date_placeholder')}
        {...field('from')}
      />
      <FormField label={translate('machine.to')} placeholder={translate('form.date_placeholder')} {...field('to')} />
      <FormField label={translate('machine.show_period')} inputMode="numeric" {...field('days')} />
      <button type="submit" className="sl-button">
        {translate('machine.apply')}
      </button>
    </form>
  );
}
