import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import {
  type ReportContent,
  type ReportLevel,
  type ReportLine,
  reportColumns,
  reports,
} from '../../../schema/features/reports';
import { localeOf } from '../../../schema/shared/languages';
import { longLabel } from '../../charts/period';
import { pathOf } from '../../crud/shared/paths';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDate } from '../../i18n/format';
import { can } from '../../providers/auth';
import { Image } from '../../ui/Image';
import { isNumeric, ReportCell, unitOf } from './ReportCell';
import { visibleColumns } from './visibleColumns';

/**
 * The report as a table: groups in bold above their lines, the total at the end. When printed, the heading repeats on
 * every page. `lineCount`: lines on all pages of the report.
 */
export function ReportTable({
  result,
  lineCount,
  dimmed,
}: {
  result: ReportContent;
  lineCount: number;
  dimmed: boolean;
}) {
  const translate = useTranslate();
  const { report, by, lines, from, to } = result;
  const declaredColumns = reportColumns(report);
  const columns = visibleColumns(result);
  const title = translate(`resources.report_schedules.choices.report.${report}`);
  const period = longLabel({ from, to });
  const subject =
    [result.client?.name, result.fleet?.name, result.location?.name].filter(Boolean).join(' · ') || 'Sweepline';
  // All lines except the total.
  const shownCount = lines.length - 1;
  return (
    <>
      <header className="sl-report-letterhead">
        {result.client?.image && <Image source={result.client.image} alt="" width={64} height={64} />}
        <div>
          <h2>{title}</h2>
          <p>
            {subject} · {period}
          </p>
        </div>
      </header>
      {shownCount < lineCount && (
        <p className="sl-notice sl-notice-info" role="status">
          {translate('reporting.cut', { shown: shownCount, all: lineCount })}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="sl-report" data-dimmed={dimmed} data-report={report} aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr className="sl-report-running">
              <td colSpan={columns.length + 1}>
                {title} · {subject} · {period}
              </td>
            </tr>
            <tr>
              <th scope="col">{translate(`reports.levels.${by}`)}</th>
              {columns.map((name) => (
                <th key={name} scope="col" data-number={isNumeric(declaredColumns[name]?.kind)}>
                  {translate(`reports.columns.${name}`)}
                  {unitOf(declaredColumns[name]?.kind) && (
                    <>
                      {' '}
                      <span>({unitOf(declaredColumns[name]?.kind)})</span>
                    </>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line, index) => (
              <tr
                // biome-ignore lint/suspicious/noArrayIndexKey: lines are never reordered; a day occurs in every group
                key={index}
                data-level={line.level === by ? 'row' : line.level === 'total' ? 'total' : depthOf(result, line.level)}
              >
                <th scope="row">
                  <LineName line={line} by={by} />
                </th>
                {columns.map((name) => (
                  <td key={name} data-column={name} data-number={isNumeric(declaredColumns[name]?.kind)}>
                    <ReportCell line={line} name={name} kind={declaredColumns[name]?.kind} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

const depthOf = ({ report }: ReportContent, level: ReportLevel): number =>
  (reports[report].levels as readonly ReportLevel[]).indexOf(level);

const resources: Partial<Record<ReportLine['level'], string>> = {
  client: 'clients',
  fleet: 'fleets',
  location: 'locations',
  machine: 'machines',
  run: 'runs',
};

/** Name of a line with details: number of machines, their type, or the weekday. */
function LineName({ line, by }: { line: ReportLine; by: ReportLevel }) {
  const translate = useTranslate();
  const weekday = new Intl.DateTimeFormat(localeOf(useLanguage()), { weekday: 'short', timeZone: 'UTC' });
  const { level, id, name, count, runs, type } = line;
  if (level === 'day') {
    return (
      <>
        {formatDate(String(name))} <small>{weekday.format(new Date(String(name)))}</small>
      </>
    );
  }
  const label =
    level === 'total'
      ? translate('reports.total')
      : level === 'urgency'
        ? translate(`reports.urgencies.${name}`)
        : (name ?? '–');
  const resource = resources[level];
  const note =
    typeof count === 'number'
      ? translate('resources.machines.counted', { smart_count: count })
      : typeof runs === 'number'
        ? translate('resources.runs.counted', { smart_count: runs })
        : level === by && typeof type === 'string'
          ? type
          : '';
  return (
    <>
      {resource && id !== null && can(resource, 'show') ? <Link to={pathOf(resource, id)}>{label}</Link> : label}{' '}
      {note && <small>{note}</small>}
    </>
  );
}
