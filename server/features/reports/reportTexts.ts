/** Prints values of a report as text, in the reader's language. */
import type { ColumnKind, ReportContent } from '../../../schema/features/reports';
import { reportColumns } from '../../../schema/features/reports';
import { type Language, localeOf } from '../../../schema/shared/languages';
import type { ReportName } from '../../../schema/shared/reportNames';
import { choiceOf, texts } from '../../i18n/messages';

const totalKinds: readonly ColumnKind[] = ['count', 'percent', 'area', 'time', 'money', 'rate'];

/** Returns the figures of the total with their labels, in column order. */
export function totalsOf(
  { report, columns, lines }: ReportContent,
  language: Language,
): { label: string; value: string }[] {
  const total = lines.at(-1);
  const labels: Record<string, string> = texts[language].reports.columns;
  return columns.flatMap((name) => {
    const kind = reportColumns(report)[name]?.kind as ColumnKind;
    const value = total?.[name];
    return totalKinds.includes(kind) && value !== null && value !== undefined
      ? [{ label: labels[name] ?? name, value: printValue(value, kind, language) }]
      : [];
  });
}

function printValue(value: unknown, kind: ColumnKind, language: Language): string {
  const number = (options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(localeOf(language), options).format(Number(value));
  const money = (decimals: number) =>
    new Intl.NumberFormat(localeOf(language), {
      style: 'currency',
      currency: 'EUR',
      minimumFractionDigits: decimals,
    }).format(value as `${number}`);
  const forms: Partial<Record<ColumnKind, () => string>> = {
    percent: () =>
      new Intl.NumberFormat(localeOf(language), {
        style: 'percent',
        minimumFractionDigits: 1,
        maximumFractionDigits: 3,
      }).format(Number(value) / 100),
    area: () => `${number({ maximumFractionDigits: 0 })} m²`,
    time: () => {
      const hours = new Intl.NumberFormat(localeOf(language)).format(Math.trunc(Number(value) / 3600));
      return `${hours}:${String(Math.trunc(Number(value) / 60) % 60).padStart(2, '0')} h`;
    },
    money: () => money(2),
    rate: () => money(4),
  };
  return forms[kind]?.() ?? number({});
}

export const reportName = (report: ReportName, language: Language): string =>
  choiceOf(language, 'report_schedules', { field: 'report', value: report });
export const formatDay = (isoDay: string): string => isoDay.split('-').reverse().join('.');
export const formatReportNumber = (value: number, language: Language): string =>
  new Intl.NumberFormat(localeOf(language)).format(value);
/** Prints a period as `01.10.2026 – 31.10.2026`. */
export const formatDays = (from: string, to: string): string => `${formatDay(from)} – ${formatDay(to)}`;
