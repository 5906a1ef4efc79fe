import { useTranslate } from 'react-admin';
import { Figure } from '../../charts/Figure';
import { type Figures, totalOf } from '../../charts/figures';
import { PeriodTable } from '../../charts/PeriodTable';
import type { PeriodGroup } from '../../charts/period';
import { useBarName } from '../../charts/useBarName';
import { useLanguage } from '../../crud/shared/useLanguage';
import { useReportedAreaText } from '../../crud/shared/useReportedAreaText';
import { formatNumber } from '../../i18n/format';

interface Props {
  rows: readonly Figures[];
  group: PeriodGroup;
  /** Planned square metres per day. */
  planned: number | null;
}

/** Cleaned square metres per day, week or month; days are compared with the plan. */
export function AreaFigure({ rows, group, planned }: Props) {
  const translate = useTranslate();
  const language = useLanguage();
  const barName = useBarName(group);
  const reportedText = useReportedAreaText();
  const print = (value: number) => formatNumber(Math.round(value), { language });
  const title = translate('charts.area');
  const total = `${print(totalOf(rows, 'area_m2'))} m²`;
  const daysWithArea = rows.filter(({ area_m2 }) => area_m2 > 0).length;
  const comparison =
    group === 'day' && planned
      ? translate('charts.area_planned', {
          area: print(totalOf(rows, 'area_m2') / Math.max(1, daysWithArea)),
          planned: print(planned),
        })
      : undefined;
  const reportedArea = totalOf(rows, 'reported_area_m2');
  return (
    <Figure
      name="area"
      title={`${title}: ${total}`}
      note={[reportedText(reportedArea), comparison].filter(Boolean).join(' · ')}
      unit="m²"
      print={print}
      data={rows.map((row) => ({ ...barName(row), area: row.area_m2 }))}
      series={[{ kind: 'area', label: title }]}
      totals={[total]}
      table={
        <PeriodTable
          rows={rows}
          columns={[
            { head: `${title} (m²)`, cell: (row) => print(row.area_m2) },
            ...(reportedArea > 0
              ? [
                  {
                    head: `${translate('reports.columns.reported_area_m2')} (m²)`,
                    cell: (row: Figures) => print(row.reported_area_m2),
                  },
                ]
              : []),
            { head: `${translate('machine.distance')} (m)`, cell: (row) => print(row.distance_m) },
          ]}
        />
      }
    />
  );
}
