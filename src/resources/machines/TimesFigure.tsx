import { useTranslate } from 'react-admin';
import { Figure } from '../../charts/Figure';
import {
  type Figures,
  hourMarks,
  type ModeField,
  type StateField,
  stateOf,
  toHours,
  totalOf,
} from '../../charts/figures';
import { PeriodTable } from '../../charts/PeriodTable';
import type { PeriodGroup } from '../../charts/period';
import { useBarName } from '../../charts/useBarName';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDuration, formatNumber } from '../../i18n/format';

interface Props {
  name: 'states' | 'modes';
  title: string;
  rows: readonly Figures[];
  fields: readonly (StateField | ModeField)[];
  group: PeriodGroup;
}

/** Hours per day, week or month: as bars, and as a table with sums. */
export function TimesFigure({ name, title, rows, fields, group }: Props) {
  const translate = useTranslate();
  const language = useLanguage();
  const labelOf = (field: StateField | ModeField) =>
    field in stateOf
      ? translate(`resources.machines.choices.status.${stateOf[field as StateField]}`)
      : translate(`resources.machines.choices.mode.${field}`);
  const printDuration = (seconds: number) => formatDuration(seconds, language);
  const barName = useBarName(group);

  return (
    <Figure
      name={name}
      title={title}
      unit="h"
      tickValues={hourMarks(
        Math.max(...rows.map((row) => fields.reduce((sum, field) => sum + toHours(row[field]), 0))),
      )}
      print={(value) => formatNumber(Math.round(value * 10) / 10, { language })}
      data={rows.map((row) => ({
        ...barName(row),
        ...Object.fromEntries(fields.map((field) => [field, toHours(row[field])])),
      }))}
      series={fields.map((kind) => ({ kind, label: labelOf(kind) }))}
      totals={fields.map((field) => printDuration(totalOf(rows, field)))}
      table={
        <PeriodTable
          rows={rows}
          columns={fields.map((field) => ({
            head: labelOf(field),
            cell: (row: Figures) => printDuration(row[field]),
            total: printDuration(totalOf(rows, field)),
          }))}
        />
      }
    />
  );
}
