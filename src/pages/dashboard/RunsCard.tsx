import './runs.css';
import { useTranslate } from 'react-admin';
import { Link, useNavigate } from 'react-router-dom';
import type { FleetRunFigures, RunAmounts } from '../../../schema/endpoints/dashboard';
import { runList, runResults } from '../../../schema/features/dashboard';
import { Figure } from '../../charts/Figure';
import { PeriodTable } from '../../charts/PeriodTable';
import { longLabel, type Period, shortLabel } from '../../charts/period';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDuration, formatNumber } from '../../i18n/format';
import { can } from '../../providers/auth';
import { useIsMobile } from '../../ui/useIsMobile';
import { filteredListPath } from './FigureTile';
import { PerformanceCard } from './PerformanceCard';
import { Ranking } from './Ranking';
import { ShareMark } from './ShareMark';
import { sharePrinter } from './shareLevels';

/**
 * Runs of the period: their outcomes, per day and in total, what interrupted them, and the sites that need attention.
 */
export const RunsCard = ({ figures }: { figures: FleetRunFigures }) => {
  const translate = useTranslate();
  const language = useLanguage();
  const navigate = useNavigate();
  const { days, sum, from, to } = figures;
  const number = (value: number) => formatNumber(value, { language });
  const nameOf = (result: (typeof runResults)[number]) =>
    translate(result === 'unknown' ? 'performance.no_outcome' : `resources.runs.choices.outcome.${result}`);
  // Outcomes that did not occur are left out of the chart.
  const visibleResults = runResults.filter((result) => sum[result] > 0 || result === 'completed');
  const counted = translate('resources.runs.counted', { smart_count: countOf(sum) });
  const completed = completedShare(sum);
  return (
    <>
      <Figure
        name="runs"
        title={
          completed === undefined
            ? counted
            : translate('performance.runs_completed', { runs: counted, percent: sharePrinter(language)(completed) })
        }
        height={useIsMobile() ? 240 : 320}
        unit={translate('resources.runs.plural')}
        print={number}
        data={days.map(({ day, ...results }) => ({
          name: shortLabel('day', day),
          full: longLabel({ from: day, to: day }),
          ...results,
        }))}
        series={visibleResults.map((kind) => ({ kind, label: nameOf(kind) }))}
        totals={visibleResults.map((result) => number(sum[result]))}
        onBarClick={(index) => {
          const day = days[index]?.day;
          if (day) navigate(filteredListPath(runList({ from: day, to: day })));
        }}
        table={
          <PeriodTable
            rows={days.map((day) => ({ ...day, from: day.day, to: day.day }))}
            columns={visibleResults.map((result) => ({
              head: nameOf(result),
              cell: (row: FleetRunFigures['days'][number] & Period) => number(row[result]),
              total: number(sum[result]),
            }))}
          />
        }
      />
      <PerformanceCard className="sl-runs-card" title={translate('resources.runs.plural')}>
        <RunTable figures={figures} nameOf={nameOf} />
        {can('locations', 'list') && figures.worst.length > 0 && (
          <Ranking title={translate('performance.worst_runs')}>
            {figures.worst.map(({ id, name, share, runs }) => (
              <li key={id}>
                <Link to={filteredListPath(runList({ from, to, locationId: id, results: knownResults }))}>{name}</Link>
                <span>
                  <ShareMark share={share} /> · {translate('resources.runs.counted', { smart_count: runs })}
                </span>
              </li>
            ))}
          </Ranking>
        )}
      </PerformanceCard>
    </>
  );
};

const knownResults = runResults.filter((result) => result !== 'unknown');

interface RunTableProps {
  figures: FleetRunFigures;
  nameOf: (result: (typeof runResults)[number]) => string;
}

/** The period compared with the previous one. The number of runs links to exactly these runs. */
const RunTable = ({ figures: { sum, before, from, to }, nameOf }: RunTableProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const percent = sharePrinter(language);
  const length = Date.parse(to) - Date.parse(from) + 86_400_000;
  const earlierPeriod = { from: earlierDay(from, length), to: earlierDay(to, length) };
  const number = (value: number) => formatNumber(value, { language });
  const rows = [
    {
      label: translate('resources.runs.plural'),
      print: (amounts: RunAmounts) => number(countOf(amounts)),
      list: {},
    },
    ...runResults.map((result) => ({
      label: nameOf(result),
      print: (amounts: RunAmounts) => number(amounts[result]),
      list: { results: [result] },
    })),
    {
      label: translate('performance.covered_of_plan'),
      print: (amounts: RunAmounts) => percent(ratioOf(amounts.cleaned_m2, amounts.planned_m2)),
    },
    {
      label: translate('performance.interruptions_per_run'),
      print: (amounts: RunAmounts) => {
        const mean = ratioOf(amounts.interruptions, countOf(amounts));
        return mean === undefined ? '–' : formatNumber(mean, { language, decimals: 1 });
      },
    },
    {
      label: translate('performance.until_help'),
      print: (amounts: RunAmounts) => {
        const mean = ratioOf(amounts.help_s, amounts.helped);
        return mean === undefined ? '–' : formatDuration(Math.round(mean), language);
      },
    },
  ];
  return (
    <table>
      <thead>
        <tr>
          <td />
          <th scope="col">{translate('charts.period')}</th>
          <th scope="col">{translate('performance.before')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, print, list }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {[
              { amounts: sum, period: { from, to } },
              { amounts: before, period: earlierPeriod },
            ].map(({ amounts, period }) => (
              <td key={period.from}>
                {list ? (
                  <Link to={filteredListPath(runList({ ...period, ...list }))}>{print(amounts)}</Link>
                ) : (
                  print(amounts)
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** The day that is `length` milliseconds, a whole number of days, before `day`. */
const earlierDay = (day: string, length: number): string =>
  new Date(Date.parse(day) - length).toISOString().slice(0, 10);

const countOf = (amounts: RunAmounts): number => runResults.reduce((total, result) => total + amounts[result], 0);

const ratioOf = (count: number, total: number): number | undefined => (total === 0 ? undefined : count / total);

/** Share of completed runs among those with a known outcome; `undefined` if there are none. */
const completedShare = (amounts: RunAmounts): number | undefined =>
  ratioOf(amounts.completed, countOf(amounts) - amounts.unknown);
