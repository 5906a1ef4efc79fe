import { useTranslate } from 'react-admin';
import { Link, Navigate, useLocation, useParams, useSearchParams } from 'react-router-dom';
import { type ReportContent, reports } from '../../../schema/features/reports';
import { registry } from '../../../schema/index';
import type { ReportName } from '../../../schema/shared/reportNames';
import { ListPage } from '../../crud/list/ListPage';
import { isPermitted } from '../../crud/shared/entities';
import { useDownload } from '../../crud/shared/useDownload';
import { can } from '../../providers/auth';
import { download } from '../../providers/http';
import { EmptyState } from '../../ui/EmptyState';
import { Icon } from '../../ui/Icon';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { PageHead } from '../../ui/PageHead';
import { RowPages } from '../../ui/RowPages';
import { TabBar } from '../../ui/TabBar';
import { ReportFilters } from './ReportFilters';
import { ReportTable } from './ReportTable';
import './reports.css';
import { RunPictures } from './RunPictures';
import { type Choice, permittedReports, reportPath, searchFor, useReport } from './useReport';

/** The report named in the URL, or the list of schedules; the first permitted report if the user may not read it. */
export function ReportsPage() {
  const { report } = useParams();
  const { search } = useLocation();
  const readableReports = permittedReports();
  const [first] = readableReports;
  const selectedReport = readableReports.find((name) => name === report);
  if (!first) return <Navigate to="/" replace />;
  if (report === 'schedules' && can('report_schedules', 'list')) return <Schedules />;
  if (!selectedReport) return <Navigate to={`${reportPath(first)}${search}`} replace />;
  return <ReportPage key={selectedReport} report={selectedReport} />;
}

function ReportPage({ report }: { report: ReportName }) {
  const translate = useTranslate();
  const { result, error, refetch, isPlaceholderData, pages, choice, apiQuery, choose } = useReport(report);
  const nameOf = (content: ReportContent | undefined) =>
    [translate(`resources.report_schedules.choices.report.${report}`), content?.location?.name ?? content?.client?.name]
      .filter(Boolean)
      .join(', ')
      .slice(0, 120);
  return (
    <>
      <PageHead
        title={translate('reporting.title')}
        crumbs={[
          { headerName: 'reporting.title', link: '/reports' },
          { headerName: `resources.report_schedules.choices.report.${report}` },
        ]}
        primary={
          <button type="button" className="sl-button sl-button-primary" onClick={() => window.print()}>
            <Icon name="print" size={16} />
            {translate('reporting.print')}
          </button>
        }
        menu={
          isPermitted(reports[report].exportPermission) && (
            <>
              {can('report_schedules', 'create') && (
                <Link className="sl-button" to={schedulePath(choice, nameOf(result))}>
                  <Icon name="mail" size={16} />
                  {translate('reporting.send')}
                </Link>
              )}
              <WorkbookButton path={`reports/${report}/export?${apiQuery}`} name={report} />
            </>
          )
        }
      />
      <ReportTabs current={report} />
      <p className="sl-report-about">{translate(`reports.about.${report}`)}</p>
      <ReportFilters choice={choice} onChoose={choose} />
      <div aria-busy={!error && (!result || isPlaceholderData)}>
        {error && <LoadFailed title={translate('reporting.error')} error={error} onRetry={refetch} />}
        {!error && !result && <LoadingNotice what="data" />}
        {!error && result && result.lines.length <= 1 && (
          <EmptyState title={translate('reporting.empty')} text={translate('reporting.empty_text')} />
        )}
        {!error && result && result.lines.length > 1 && (
          <>
            <ReportTable result={result} lineCount={pages.total} dimmed={isPlaceholderData} />
            {report === 'runs' && <RunPictures lines={result.lines} />}
            {pages.pages > 1 && <RowPages {...pages} onPage={(page) => choose({ page })} />}
          </>
        )}
      </div>
    </>
  );
}

/** Path of the create form for a schedule of this report, with the same filters. */
function schedulePath({ report, filter, by }: Choice, name: string): string {
  const source = { name, report, ...filter, is_detailed: by === reports[report].levels.at(-1) };
  return `/report_schedules/create?source=${encodeURIComponent(JSON.stringify(source))}`;
}

/** The list of schedules, as a tab among the reports. */
function Schedules() {
  const translate = useTranslate();
  return (
    <>
      <PageHead
        title={translate('reporting.title')}
        crumbs={[{ headerName: 'reporting.title', link: '/reports' }, { headerName: 'reporting.scheduled' }]}
      />
      <ReportTabs />
      <ListPage entity={registry.report_schedules} embedded />
    </>
  );
}

const schedulesPath = '/reports/schedules';

/** Tabs of all reports; their links keep the parameters of the URL. Without `current`, the schedules are open. */
const ReportTabs = ({ current }: { current?: ReportName }) => {
  const translate = useTranslate();
  const [search] = useSearchParams();
  const tabs = permittedReports().map((name) => ({
    name: name as ReportName | undefined,
    to: reportPath(name) + searchFor(name, current, search),
    label: translate(`resources.report_schedules.choices.report.${name}`),
  }));
  if (can('report_schedules', 'list'))
    tabs.push({
      name: undefined,
      to: schedulesPath + searchFor(undefined, current, search),
      label: translate('reporting.scheduled'),
    });
  const open = tabs.find(({ name }) => name === current)?.to ?? '';
  return <TabBar label={translate('reporting.title')} tabs={tabs} current={open} />;
};

/** Button that downloads the report as a workbook. */
function WorkbookButton({ path, name }: { path: string; name: string }) {
  const translate = useTranslate();
  const run = useDownload();
  const load = () => run(() => download(path, `${name}.xlsx`));
  return (
    <button type="button" className="sl-button" onClick={() => void load()}>
      <Icon name="download" size={16} />
      {translate('reporting.excel')}
    </button>
  );
}
