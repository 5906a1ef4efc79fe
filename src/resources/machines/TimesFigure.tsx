import { useTranslate } from 'react-admin';
import { Figure } from '../../charts/Figure';
import { type Figures, hours, type ModeField, type StateField, stateOf, totalOf } from '../../charts/figures';
import { type Group, longLabel, shortLabel } from '../../charts/period';
import { formatDuration, formatNumber } from '../../i18n/format';
import { useLanguage } from '../language';

interface Props {
  title: string;
  rows: readonly Figures[];
  fields: readonly (StateField | ModeField)[];
  group: Group;
}

/** Hours per day, week or month, one bar each, and the same as a table with sums. */
export function TimesFigure({ title, rows, fields, group }: Props) {
  const translate = useTranslate();
  const language = useLanguage();
  const word = (field: StateField | ModeField) =>
    field in stateOf ? translate(`resources.machines.choices.status.${stateOf[field as StateField]}`) : translate(`resources.machines.choices.mode.${field}`);
  const printed = (seconds: number) => formatDuration(seconds, language);
  const name = (from: string) => (group === 'week' ? translate('charts.week', { week: shortLabel(group, from) }) : shortLabel(group, from));

  return (
    <Figure
      title={title}
      unit="h"
      print={(value) => formatNumber(Math.round(value * 10) / 10, { language })}
      data={rows.map((row) => ({
        name: name(row.from),
        full: longLabel(row),
        ...Object.fromEntries(fields.map((field) => [field, hours(row[field])])),
      }))}
      series={fields.map((kind) => ({ kind, label: word(kind) }))}
      totals={fields.map((field) => printed(totalOf(rows, field)))}
      table={
        <table>
          <thead>
            <tr>
              <th scope="col">{translate('charts.period')}</th>
              {fields.map((field) => (
                <th key={field} scope="col">
                  {word(field)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.from}>
                <th scope="row">{longLabel(row)}</th>
                {fields.map((field) => (
                  <td key={field}>{printed(row[field])}</td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{translate('machine.total')}</th>
              {fields.map((field) => (
                <td key={field}>{printed(totalOf(rows, field))}</td>
              ))}
            </tr>
          </tfoot>
        </table>
      }
    />
  );
}
