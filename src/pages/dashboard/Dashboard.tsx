import { type QueryClient, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { DashboardFigures } from '../../../schema/endpoints/dashboard';
import { counterDays, counterList, counters } from '../../../schema/features/dashboard';
import { firstRole } from '../../../schema/shared/roles';
import { usePrefetchDefaults } from '../../crud/list/defaultViews';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber } from '../../i18n/format';
import { serverDay } from '../../i18n/serverClock';
import { can, currentUser } from '../../providers/auth';
import { fetchRows } from '../../providers/rows';
import { inboxQuery, useInbox } from '../../providers/useInbox';
import { EmptyState } from '../../ui/EmptyState';
import { Icon } from '../../ui/Icon';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { lazyPage } from '../../ui/lazyPage';
import { PageHead } from '../../ui/PageHead';
import { isMobileNow, useIsMobile } from '../../ui/useIsMobile';
import { FigureGroup } from './FigureGroup';
import { FigureTile, filteredListPath } from './FigureTile';
import { NeedsAttention, WorkToday } from './FleetFigures';
import { InboxCard } from './InboxCard';
import { InstallationHealth } from './InstallationHealth';
import { MachineSearch } from './MachineSearch';
import { OwnMachines } from './OwnMachines';
import { OwnSites } from './OwnSites';
import { Performance } from './Performance';
import { StateBar } from './StateBar';
import { dashboardQuery, useDashboard } from './useDashboard';
import { installationQuery, useInstallation } from './useInstallation';
import { maxOwnMachines, useOwnMachines } from './useOwnMachines';
import { useOwnSites } from './useOwnSites';
import {
  performanceDaysIn,
  performanceQuery,
  runFiguresQuery,
  usePerformance,
  usePerformanceDays,
  useRunFigures,
} from './usePerformance';

const FirstSteps = lazyPage(() => import('./FirstSteps'), 'FirstSteps');

/** The start page: machine search, inbox, key figures. Every figure links to the list from which it is counted. */
export const Dashboard = () => {
  const translate = useTranslate();
  const { data, error, refetch } = useDashboard();
  const isMobile = useIsMobile();
  usePrefetchDefaults();
  return (
    <>
      <PageHead
        title={translate('dashboard.title')}
        crumbs={[{ headerName: 'frame.dashboard' }]}
        menu={
          can('machines', 'list') && (
            <>
              {!isMobile && (
                <Link className="sl-button" to="/account/walls">
                  <Icon name="system" size={16} />
                  {translate('dashboard.wall')}
                </Link>
              )}
              <Link className="sl-button" to="/reports">
                <Icon name="report" size={16} />
                {translate('reporting.title')}
              </Link>
            </>
          )
        }
      />
      {can('machines', 'list') && <MachineSearch />}
      {error && !data ? (
        <LoadFailed title={translate('dashboard.error')} error={error} onRetry={refetch} />
      ) : data?.data.is_linked === false ? (
        <EmptyState title={translate('list.not_linked')} text={translate('list.not_linked_text')} />
      ) : (
        <Figures figures={data?.data} />
      )}
    </>
  );
};

/** Starts the requests of `Figures`, so that the server answers while the page around it renders. */
export function prefetchFigures(client: QueryClient): void {
  void client.prefetchQuery(dashboardQuery);
  void client.prefetchQuery(inboxQuery());
  if (canSeeInstallation()) void client.prefetchQuery(installationQuery);
  if (!can('machines', 'list') || isMobileNow()) return;
  const days = performanceDaysIn(new URLSearchParams(window.location.search));
  void client.prefetchQuery(performanceQuery(days));
  if (can('runs', 'list')) void client.prefetchQuery(runFiguresQuery(days));
}

/**
 * Whether to show the first steps: the user can add machines, and there are at most a few, none of which has reported.
 */
function useNeedsFirstSteps(figures: DashboardFigures | undefined) {
  const { Offline = maxFirstMachines + 1, ...others } = figures?.states ?? {};
  const isSilent =
    can('machines', 'create') &&
    can('machines', 'list') &&
    Offline <= maxFirstMachines &&
    Object.values(others).every((machines) => machines === 0);
  const {
    data: reporting,
    isLoading,
    failureCount,
  } = useQuery({
    queryKey: ['dashboard', 'machines that reported'],
    queryFn: ({ signal }) =>
      fetchRows('machines', {
        per_page: 1,
        fields: ['id'],
        filter: [{ path: 'last_seen', values: ['>=2000-01-01T00:00:00Z'] }],
        signal,
      }),
    enabled: isSilent,
  });
  return { isLoading, failureCount, needsFirstSteps: isSilent && reporting?.total === 0 };
}

const maxFirstMachines = 3;

const hasFewMachines = (figures: DashboardFigures | undefined): boolean => {
  const machines = Object.values(figures?.states ?? {}).reduce((sum, count) => sum + count, 0);
  return machines > 0 && machines <= maxOwnMachines;
};

const LoadingDashboard = () => (
  <div className="sl-dashboard-loading">
    <LoadingNotice what="data" />
  </div>
);

const primaryRole = () => firstRole(currentUser()?.roles ?? []);
const hasOwnSites = () => primaryRole() === 'site_manager' && can('locations', 'list') && can('machines', 'list');
const canSeeInstallation = () => primaryRole() === 'admin' && can('audit', 'list');

/** Everything below the search. Rendered once its data has arrived, so that nothing moves or renders twice. */
const Figures = ({ figures }: { figures: DashboardFigures | undefined }) => {
  const translate = useTranslate();
  const language = useLanguage();
  const today = serverDay();
  const visible = counters.filter((counter) => can(counterList(counter, today).resource, 'list'));
  const { needsFirstSteps, ...firstSteps } = useNeedsFirstSteps(figures);
  const hasFew = hasFewMachines(figures);
  const queries = [
    firstSteps,
    useInbox(),
    useInstallation({ enabled: canSeeInstallation() }),
    useOwnMachines({ enabled: hasFew }),
    useOwnSites({ enabled: hasOwnSites() }),
  ];
  // A failed request is retried without delaying the other parts.
  const isWaiting = queries.some(({ isLoading, failureCount }) => isLoading && failureCount === 0);
  const isReady = figures !== undefined && !isWaiting;
  const isMobile = useIsMobile();
  // Requested together with the others, but not waited for.
  const [days] = usePerformanceDays();
  const hasPerformance = can('machines', 'list') && !isMobile;
  usePerformance(days, { enabled: hasPerformance });
  useRunFigures(days, { enabled: hasPerformance });
  const number = (value: number) => formatNumber(value, { language });
  if (!isReady) return <LoadingDashboard />;
  return (
    <Suspense fallback={<LoadingDashboard />}>
      <div className="sl-dashboard">
        {needsFirstSteps ? (
          <FirstSteps />
        ) : (
          <>
            {hasFew ? (
              <>
                <InboxCard />
                <OwnMachines />
                <StateBar states={figures.states} />
              </>
            ) : (
              <>
                {can('machines', 'list') && <StateBar states={figures.states} />}
                <InboxCard />
              </>
            )}
            {hasOwnSites() && <OwnSites />}
            <NeedsAttention figures={figures} />
            {canSeeInstallation() && <InstallationHealth />}
            {/* On a phone, cards of single machines say the same. */}
            {can('machines', 'list') && !(hasFew && isMobile) && <Performance />}
            {can('machines', 'list') && <WorkToday figures={figures} />}
          </>
        )}
        {visible.length > 0 && (
          <FigureGroup title={translate('dashboard.people')}>
            {visible.map((counter) => (
              <FigureTile
                key={counter}
                label={translate(`dashboard.${counter}`)}
                note={notes[counter] && translate(notes[counter], { smart_count: counterDays[counter] })}
                value={number(figures[counter])}
                to={filteredListPath(counterList(counter, today))}
              />
            ))}
          </FigureGroup>
        )}
      </div>
    </Suspense>
  );
};

const notes: Partial<Record<(typeof counters)[number], string>> = {
  new_users: 'dashboard.last_days',
  new_companies: 'dashboard.last_days',
  inactive_users: 'dashboard.inactive_for',
};
