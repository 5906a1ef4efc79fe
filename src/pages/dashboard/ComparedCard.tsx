import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { FleetPerformance } from '../../../schema/endpoints/dashboard';
import { ChartFrame } from '../../charts/ChartFrame';
import { PeriodTable } from '../../charts/PeriodTable';
import { Sparkline } from '../../charts/Sparkline';
import { pathOf } from '../../crud/shared/paths';
import { useLanguage } from '../../crud/shared/useLanguage';
import { useReportedAreaText } from '../../crud/shared/useReportedAreaText';
import { formatNumber } from '../../i18n/format';
import { can } from '../../providers/auth';
import { PerformanceCard } from './PerformanceCard';
import { ShareMark } from './ShareMark';
import { autonomyOf, sharePrinter } from './shareLevels';

/** Compares clients or sites, the furthest behind its plan first. */
export const ComparedCard = ({ performance: { compared, days, from, to } }: { performance: FleetPerformance }) => {
  const translate = useTranslate();
  const language = useLanguage();
  const reportedText = useReportedAreaText();
  const percent = sharePrinter(language);
  const { by, rows } = compared;
  const reportPeriod = new URLSearchParams({ from, to, by: by === 'clients' ? 'client' : 'location' });
  return (
    <PerformanceCard className="sl-compared" title={translate(`performance.compared_${by}`)}>
      <ChartFrame
        name="compared_trends"
        title={`${translate(`performance.compared_${by}`)}: ${translate('charts.area')} (m²)`}
        table={() => (
          <PeriodTable
            rows={days.map(({ day }) => ({ from: day, to: day }))}
            columns={rows.map(({ id, name, trend }) => ({
              key: id,
              head: name,
              cell: ({ from: day }) =>
                formatNumber(trend[days.findIndex((other) => other.day === day)] ?? 0, { language }),
            }))}
          />
        )}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
        <section className="sl-compared__scroll" aria-label={translate(`performance.compared_${by}`)} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{translate(`resources.${by}.name`, { smart_count: 1 })}</th>
                <th scope="col">{translate('performance.fulfilment')}</th>
                <th scope="col">{translate('charts.area')} (m²)</th>
                <th scope="col">{translate('dashboard.autonomy')}</th>
                <th scope="col">{translate('performance.trend')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row">
                    <Link to={pathOf(by, row.id)}>{row.name}</Link>
                  </th>
                  <td>
                    <ShareMark share={row.share} />
                  </td>
                  <td title={reportedText(row.reported_area_m2)}>
                    {formatNumber(Math.round(row.area_m2), { language })}
                  </td>
                  <td>{percent(autonomyOf(row))}</td>
                  <td>
                    <Sparkline values={row.trend} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </ChartFrame>
      {can('locations', 'list') && (
        <Link to={`/reports/cleaning?${reportPeriod}`}>{translate('performance.all_in_report')}</Link>
      )}
    </PerformanceCard>
  );
};
