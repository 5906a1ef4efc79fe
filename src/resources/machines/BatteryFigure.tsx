import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import type { EndpointResponse } from '../../../schema/endpoints';
import { Figure } from '../../charts/Figure';
import { PeriodTable } from '../../charts/PeriodTable';
import { useBarName } from '../../charts/useBarName';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatPercent } from '../../i18n/format';
import { call } from '../../providers/call';
import type { MachineRow } from './machineRow';
import type { ChosenPeriod } from './usePeriod';

const columns = ['lowest', 'average', 'highest'] as const;

/** Lowest battery level per day, week or month. Renders nothing without data. */
export function BatteryFigure({ machine, period: { group, from, to } }: { machine: MachineRow; period: ChosenPeriod }) {
  const translate = useTranslate();
  const language = useLanguage();
  const barName = useBarName(group);
  const { data: rows = [] } = useQuery<EndpointResponse<'GET /machines/{id}/battery'>['data']>({
    queryKey: ['machines', 'battery', machine.id, group, from, to],
    queryFn: ({ signal }) =>
      call('GET /machines/{id}/battery', { params: { id: machine.id }, query: { group, from, to }, signal }).then(
        ({ data }) => data,
      ),
    placeholderData: keepPreviousData,
  });
  if (rows.length === 0) return null;
  const print = (value: number) => formatPercent(value, { language, decimals: 0 });
  const title = translate('charts.battery', { percent: print(Math.min(...rows.map(({ lowest }) => lowest))) });
  return (
    <Figure
      name="battery"
      title={title}
      unit="%"
      print={String}
      data={rows.map((row) => ({ ...barName(row), battery: row.lowest }))}
      series={[{ kind: 'battery', label: translate('charts.lowest') }]}
      totals={[]}
      table={
        <PeriodTable
          rows={rows}
          columns={columns.map((name) => ({
            head: translate(`charts.${name}`),
            cell: (row: (typeof rows)[number]) => print(row[name]),
          }))}
        />
      }
    />
  );
}
