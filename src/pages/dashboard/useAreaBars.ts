import { useTranslate } from 'react-admin';
import type { FleetPerformance } from '../../../schema/endpoints/dashboard';
import type { BarsProps } from '../../charts/Bars';
import { longLabel, shortLabel } from '../../charts/period';
import { useLanguage } from '../../crud/shared/useLanguage';
import { useReportedAreaText } from '../../crud/shared/useReportedAreaText';
import { formatCompact, formatNumber } from '../../i18n/format';

/**
 * Chart of square metres per day with the plan. Its title states both sums, not their ratio: machines also clean where
 * nothing is planned. Its note states how much was reported or entered.
 */
export function useAreaBars(
  days: FleetPerformance['days'],
): Omit<BarsProps, 'label' | 'scope'> & { title: string; note: string | undefined } {
  const translate = useTranslate();
  const language = useLanguage();
  const print = (value: number) => formatNumber(Math.round(value), { language });
  const sumOf = (name: 'area_m2' | 'reported_area_m2' | 'planned_area_m2') =>
    days.reduce((total, day) => total + day[name], 0);
  const printReported = useReportedAreaText();
  const label = translate('charts.area');
  const area = sumOf('area_m2');
  const plannedArea = sumOf('planned_area_m2');
  return {
    title:
      plannedArea > 0
        ? translate('performance.area_of_plan', {
            area: formatCompact(area, language),
            planned: formatCompact(plannedArea, language),
          })
        : `${label}: ${print(area)} m²`,
    note: printReported(sumOf('reported_area_m2')),
    unit: 'm²',
    print,
    printTick: (value) => formatCompact(value, language),
    plan: plannedArea > 0 ? translate('performance.planned') : undefined,
    data: days.map(({ day, area_m2, planned_area_m2 }) => ({
      name: shortLabel('day', day),
      full: longLabel({ from: day, to: day }),
      area: area_m2,
      plan: planned_area_m2,
    })),
    series: [{ kind: 'area', label }],
  };
}
