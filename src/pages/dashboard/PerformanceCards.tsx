import './performance.css';
import { useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import type { FleetPerformance, FleetRunFigures } from '../../../schema/endpoints/dashboard';
import { runResults } from '../../../schema/features/dashboard';
import { ChartFrame } from '../../charts/ChartFrame';
import { Figure } from '../../charts/Figure';
import { PeriodTable } from '../../charts/PeriodTable';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDuration, formatHours, formatNumber } from '../../i18n/format';
import { can } from '../../providers/auth';
import { useIsMobile } from '../../ui/useIsMobile';
import { ComparedCard } from './ComparedCard';
import { RunsCard } from './RunsCard';
import { SitesCard } from './SitesCard';
import { autonomyOf, sharePrinter } from './shareLevels';
import { TrendCard } from './TrendCard';
import { UtilisationCard } from './UtilisationCard';
import { useAreaBars } from './useAreaBars';

interface Props {
  performance: FleetPerformance;
  /** `undefined` if they failed to load, and for users who may not list runs. */
  runs: FleetRunFigures | undefined;
}

/** The cards of the fleet's performance. Each figure links to the report or list behind it. */
export const PerformanceCards = ({ performance, runs }: Props) => {
  const translate = useTranslate();
  const language = useLanguage();
  const { days, before, from, to } = performance;
  const sumOf = (name: 'cleaning' | 'area_m2' | 'robotic' | 'manual') =>
    days.reduce((total, day) => total + day[name], 0);
  const percent = sharePrinter(language);
  const period = new URLSearchParams({ from, to });
  const detailsPath = can('locations', 'list') ? `/reports/cleaning?${period}` : '/machines';
  const printArea = (value: number) => formatNumber(Math.round(value), { language });
  const autonomy = autonomyOf({ robotic: sumOf('robotic'), manual: sumOf('manual') });
  return (
    <>
      <AreaCard performance={performance} />
      {can('locations', 'list') && <SitesCard performance={performance} />}
      <ChartFrame
        name="trends"
        title={translate('performance.trend')}
        className="sl-performance__trends"
        table={() => (
          <PeriodTable
            rows={days.map((day) => ({ ...day, from: day.day, to: day.day }))}
            columns={[
              {
                head: `${translate('charts.area')} (m²)`,
                cell: (row) => printArea(row.area_m2),
              },
              { head: translate('dashboard.hours'), cell: (row) => formatDuration(row.cleaning, language) },
              { head: translate('dashboard.autonomy'), cell: (row) => percent(autonomyOf(row)) },
            ]}
          />
        )}
      >
        <TrendCard
          label={translate('charts.area')}
          now={sumOf('area_m2')}
          before={before.area_m2}
          print={printArea}
          unit="m²"
          values={days.map(({ area_m2 }) => area_m2)}
          to={detailsPath}
        />
        <TrendCard
          label={translate('dashboard.hours')}
          now={sumOf('cleaning')}
          before={before.cleaning}
          print={(value) => formatHours(value, language)}
          unit="h"
          values={days.map(({ cleaning }) => cleaning)}
          to={detailsPath}
        />
        <TrendCard
          label={translate('dashboard.autonomy')}
          now={autonomy}
          before={autonomyOf(before)}
          print={percent}
          values={days.map(autonomyOf)}
          to={roboticTimePath}
        />
      </ChartFrame>
      {runs && runResults.some((result) => runs.sum[result] + runs.before[result] > 0) && <RunsCard figures={runs} />}
      {performance.types.length > 0 && <UtilisationCard types={performance.types} />}
      {performance.compared.rows.length > 1 && <ComparedCard performance={performance} />}
    </>
  );
};

const roboticTimePath = `/machines?${new URLSearchParams({ sort: 'robotic_time', order: 'DESC', page: '1' })}`;

/** Square metres per day compared with the plan. A click on a bar opens the cleaning report of that day. */
const AreaCard = ({ performance: { days } }: { performance: FleetPerformance }) => {
  const translate = useTranslate();
  const language = useLanguage();
  const navigate = useNavigate();
  const bars = useAreaBars(days);
  const { print } = bars;
  return (
    <Figure
      name="area_and_plan"
      {...bars}
      height={useIsMobile() ? 300 : 380}
      totals={[]}
      onBarClick={
        can('locations', 'list')
          ? (index) =>
              navigate(`/reports/cleaning?${new URLSearchParams({ from: dayAt(days, index), to: dayAt(days, index) })}`)
          : undefined
      }
      table={
        <PeriodTable
          rows={days.map((day) => ({ ...day, from: day.day, to: day.day }))}
          columns={[
            { head: `${translate('charts.area')} (m²)`, cell: (row) => print(row.area_m2) },
            {
              head: `${translate('reports.columns.reported_area_m2')} (m²)`,
              cell: (row) => print(row.reported_area_m2),
            },
            { head: `${translate('performance.planned')} (m²)`, cell: (row) => print(row.planned_area_m2) },
            { head: translate('dashboard.hours'), cell: (row) => formatDuration(row.cleaning, language) },
          ]}
        />
      }
    />
  );
};

const dayAt = (days: FleetPerformance['days'], index: number): string => days[index]?.day ?? '';
