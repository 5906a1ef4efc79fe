import { useTranslate } from 'react-admin';
import { changeOf, periodBefore } from '../../charts/compare';
import { type Figures, totalOf } from '../../charts/figures';
import type { Period } from '../../charts/period';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDate, formatDuration, formatNumber, formatShare } from '../../i18n/format';
import type { MachineRow } from './machineRow';
import { useStatistics } from './useStatistics';

const comparedFields = ['cleaning', 'area_m2', 'charging', 'offline'] as const;

/** Figures of a period, compared with the previous one. */
export function Comparison({
  machine,
  rows,
  period,
}: {
  machine: MachineRow;
  rows: readonly Figures[];
  period: Period;
}) {
  const translate = useTranslate();
  const language = useLanguage();
  const previous = periodBefore(period);
  // Grouped by month, which gives the same totals with fewer rows.
  const { data: previousStatistics } = useStatistics(machine.id, { group: 'month', ...previous });
  const print = (field: (typeof comparedFields)[number], value: number) =>
    field === 'area_m2' ? `${formatNumber(Math.round(value), { language })} m²` : formatDuration(value, language);
  const label = (field: (typeof comparedFields)[number]) =>
    field === 'area_m2'
      ? translate('charts.area')
      : translate(`resources.machines.choices.status.${field.charAt(0).toUpperCase()}${field.slice(1)}`);
  return (
    <section className="sl-section">
      <h2>{translate('charts.compared', { from: formatDate(previous.from), to: formatDate(previous.to) })}</h2>
      <dl className="sl-machine-facts sl-comparison">
        {comparedFields.map((field) => {
          const total = totalOf(rows, field);
          const previousTotal = previousStatistics && totalOf(previousStatistics, field);
          const change = previousTotal === undefined ? undefined : changeOf(total, previousTotal);
          return (
            <div key={field}>
              <dt>{label(field)}</dt>
              <dd>
                <b>{print(field, total)}</b>
                {previousTotal !== undefined && (
                  <span>
                    {change !== undefined && `${formatShare(change, { language, isChange: true })} · `}
                    {translate('charts.before', { value: print(field, previousTotal) })}
                  </span>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
