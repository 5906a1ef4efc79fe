import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { Figure } from '../../charts/Figure';
import { longLabel, type Period, shortLabel } from '../../charts/period';
import { localeOf } from '../../i18n/format';
import { api } from '../../providers/http';
import { useLanguage } from '../language';
import type { MachineRow } from './machine';
import type { ChosenPeriod } from './usePeriod';

interface Battery extends Period {
  /** Percent. */
  lowest: number;
  average: number;
  highest: number;
}

const told = ['lowest', 'average', 'highest'] as const;

/** How low the battery went per day, week or month. Nothing where no message told. */
export function BatteryFigure({ machine, chosen: { group, from, to } }: { machine: MachineRow; chosen: ChosenPeriod }) {
  const translate = useTranslate();
  const language = useLanguage();
  const { data: rows = [] } = useQuery<Battery[]>({
    queryKey: ['machines', 'battery', machine.id, group, from, to],
    queryFn: ({ signal }) =>
      api<{ data: Battery[] }>(`machines/${machine.id}/battery?group=${group}&from=${from}&to=${to}`, { signal }).then(({ data }) => data),
    placeholderData: keepPreviousData,
  });
  if (rows.length === 0) return null;
  const percent = new Intl.NumberFormat(localeOf(language), { style: 'percent' });
  const print = (value: number) => percent.format(value / 100);
  const title = translate('charts.battery', { percent: print(Math.min(...rows.map(({ lowest }) => lowest))) });
  return (
    <Figure
      title={title}
      unit="%"
      print={String}
      data={rows.map((row) => ({
        name: group === 'week' ? translate('charts.week', { week: shortLabel(group, row.from) }) : shortLabel(group, row.from),
        full: longLabel(row),
        battery: row.lowest,
      }))}
      series={[{ kind: 'battery', label: translate('charts.lowest') }]}
      totals={[]}
      table={
        <table>
          <thead>
            <tr>
              <th scope="col">{translate('charts.period')}</th>
              {told.map((name) => (
                <th key={name} scope="col">
                  {translate(`charts.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.from}>
                <th scope="row">{longLabel(row)}</th>
                {told.map((name) => (
                  <td key={name}>{print(row[name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      }
    />
  );
}
