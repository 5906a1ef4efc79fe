import { Fragment } from 'react';
import { useTranslate } from 'react-admin';
import type { SiteDayState } from '../../../schema/features/calendar';
import type { ColumnKind, ReportLine } from '../../../schema/features/reports';
import { siteDayIcons } from '../../crud/fields/siteDayIcons';
import { dueText } from '../../crud/shared/dueText';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatAmount, formatDate, formatHours, formatNumber } from '../../i18n/format';
import { Icon } from '../../ui/Icon';

const units: Partial<Record<ColumnKind, string>> = { percent: '%', area: 'm²', time: 'h', money: '€', rate: '€' };
/** Unit in the heading of a numeric column. */
export const unitOf = (kind: ColumnKind | undefined): string | undefined => kind && units[kind];

const numericKinds: readonly ColumnKind[] = ['count', 'percent', 'area', 'time', 'money', 'rate'];
export const isNumeric = (kind: ColumnKind | undefined): boolean => kind !== undefined && numericKinds.includes(kind);

/** Maximum number of names to show; longer lists show their count. */
const maxNames = 4;

/** One value of a line. A missing result is shown as a dash, any other missing value as nothing. */
export function ReportCell({ line, name, kind }: { line: ReportLine; name: string; kind: ColumnKind | undefined }) {
  const translate = useTranslate();
  const language = useLanguage();
  const value = line[name];
  if (kind === 'result') return <DayResult line={line} />;
  if (value === null || value === undefined || kind === undefined) return null;
  const renderers: Record<Exclude<ColumnKind, 'result'>, () => React.ReactNode> = {
    text: () => String(value),
    names: () => <Names names={value as string[]} />,
    outcome: () => translate(`resources.runs.choices.outcome.${value}`),
    source: () => translate(`resources.runs.choices.source.${value}`),
    day: () => <DueDate day={String(value)} daysLeft={line.days_left} />,
    count: () => formatNumber(Number(value), { language }),
    percent: () => formatNumber(Number(value), { language, decimals: 1 }),
    area: () => formatNumber(Math.round(Number(value)), { language }),
    time: () => formatHours(Number(value), language),
    money: () => formatAmount(String(value), language),
    // Costs per square metre are fractions of a cent, hence four decimals.
    rate: () => formatAmount(String(value), language, 4),
  };
  return renderers[kind]();
}

function Names({ names }: { names: readonly string[] }) {
  const translate = useTranslate();
  if (names.length > maxNames)
    return (
      <span title={names.join(', ')}>{translate('resources.machines.counted', { smart_count: names.length })}</span>
    );
  return names.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && ' '}
      <span className="sl-report-name">
        {name}
        {index < names.length - 1 && ','}
      </span>
    </Fragment>
  ));
}

/** The state of a day as mark and word. For a group, how many of its planned days were cleaned. */
function DayResult({ line: { level, result, cleaned_days, planned_days } }: { line: ReportLine }) {
  const translate = useTranslate();
  if (level !== 'day')
    return typeof planned_days === 'number' && planned_days > 0
      ? translate('reporting.kept', { done: Number(cleaned_days), planned: planned_days })
      : '–';
  const state = result as SiteDayState | null;
  if (!state) return '–';
  return (
    <span className="sl-report-result" data-state={state}>
      <Icon name={siteDayIcons[state]} size={state === 'planned' ? 10 : 16} />
      {translate(`reports.results.${state}`)}
    </span>
  );
}

function DueDate({ day, daysLeft }: { day: string; daysLeft: unknown }) {
  const translate = useTranslate();
  const days = Number(daysLeft);
  return (
    <span className="sl-report-due" data-over={days < 0}>
      {formatDate(day)}
      {typeof daysLeft === 'number' && <small>{dueText(days, translate)}</small>}
    </span>
  );
}
