import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/support/longestFirst.ts';

/**
 * Projects: `unit` (pure logic), `ui` and `ui-mocks` (rendered components), `api` (the real application, on the
 * database selected by SWEEPLINE_TEST_DATABASE), `e2e` (a server and a real browser per worker). `api` and `e2e` retry a
 * failed test once, because timing varies on a busy machine; the summary lists tests that passed only on the retry.
 */
// Start their own databases, so they run in one of the two passes only.
const ownDatabases = [
  'tests/api/backup.test.ts',
  'tests/api/db.test.ts',
  'tests/api/deploy.test.ts',
  'tests/api/db-*.test.ts',
  'tests/api/embedded-load.test.ts',
  'tests/api/faults.test.ts',
  'tests/api/mqtt-handover.test.ts',
  'tests/api/mqtt-slots.test.ts',
  'tests/api/processes.test.ts',
  'tests/api/replica.test.ts',
  'tests/api/rolling-restart.test.ts',
];
/**
 * Files that run on PostgreSQL only, because their results do not depend on the kind of database: both kinds are the
 * same engine with the same statements, and the server distinguishes them only for imports, exports, inserts, job
 * leases, events and full storage. These are files about permissions, figures, alerts, reports, sessions, mails and
 * HTTP. On both kinds run writes and lists of every entity, one file per device protocol, timelines, imports, exports,
 * jobs, live events, migrations, collation, time zones, contention, crashes and load; of several files about one
 * subject, the one that covers the most statements. SWEEPLINE_TEST_WHOLE=yes runs everything on both.
 * `rolesAndEntities` in tests/support/rolePermissions.ts makes the same distinction.
 */
const anyDatabase = [
  'tests/api/access.test.ts',
  'tests/api/account-data.test.ts',
  'tests/api/account-emails.test.ts',
  'tests/api/account-sessions.test.ts',
  'tests/api/alert-messages.test.ts',
  'tests/api/alert-views.test.ts',
  'tests/api/alerts.test.ts',
  'tests/api/attacks/assignment.test.ts',
  'tests/api/attacks/disguise.test.ts',
  'tests/api/attacks/enumeration.test.ts',
  'tests/api/attacks/escalation.test.ts',
  'tests/api/attacks/limits.test.ts',
  'tests/api/attacks/references.test.ts',
  'tests/api/audit-account.test.ts',
  'tests/api/bin.test.ts',
  'tests/api/calendar.test.ts',
  'tests/api/carried-forward-keys.test.ts',
  'tests/api/cleaning-modes.test.ts',
  'tests/api/cleaning-report.test.ts',
  'tests/api/clients.test.ts',
  'tests/api/concurrent-permissions.test.ts',
  'tests/api/costs-report.test.ts',
  'tests/api/coverage.test.ts',
  'tests/api/dashboard-runs.test.ts',
  'tests/api/demo-floors.test.ts',
  'tests/api/equal-times.test.ts',
  'tests/api/facets.test.ts',
  'tests/api/files.test.ts',
  'tests/api/filter-groups.test.ts',
  'tests/api/filter-plans.test.ts',
  'tests/api/fleet-sums.test.ts',
  'tests/api/fleet-timeline.test.ts',
  'tests/api/floor-plans.test.ts',
  'tests/api/groups.test.ts',
  'tests/api/headers.test.ts',
  'tests/api/hostile-devices.test.ts',
  'tests/api/hostile.test.ts',
  'tests/api/http.test.ts',
  'tests/api/impersonate.test.ts',
  'tests/api/import-rights.test.ts',
  'tests/api/import-roundtrip.test.ts',
  'tests/api/in-use.test.ts',
  'tests/api/inbox.test.ts',
  'tests/api/include-plans.test.ts',
  'tests/api/installation.test.ts',
  'tests/api/invitations-many.test.ts',
  'tests/api/json-server-matrix.test.ts',
  'tests/api/json-server.test.ts',
  'tests/api/key-rules.test.ts',
  'tests/api/live-many.test.ts',
  'tests/api/machine-floor.test.ts',
  'tests/api/machines.test.ts',
  'tests/api/mail.test.ts',
  'tests/api/metrics.test.ts',
  'tests/api/mqtt-clients.test.ts',
  'tests/api/notifications.test.ts',
  'tests/api/object-messages.test.ts',
  'tests/api/object-storage.test.ts',
  'tests/api/oidc.test.ts',
  'tests/api/openapi.test.ts',
  'tests/api/opening-hours.test.ts',
  'tests/api/order-runs.test.ts',
  'tests/api/owntracks.test.ts',
  'tests/api/parameters.test.ts',
  'tests/api/performance.test.ts',
  'tests/api/problems.test.ts',
  'tests/api/protocols.test.ts',
  'tests/api/public-reports.test.ts',
  'tests/api/report-schedules.test.ts',
  'tests/api/reported-runs.test.ts',
  'tests/api/reports.test.ts',
  'tests/api/reset.test.ts',
  'tests/api/revoked-rights.test.ts',
  'tests/api/rights.test.ts',
  'tests/api/robot-maps.test.ts',
  'tests/api/row-scopes.test.ts',
  'tests/api/run-alerts.test.ts',
  'tests/api/run-corrections.test.ts',
  'tests/api/run-figures.test.ts',
  'tests/api/run-owners.test.ts',
  'tests/api/runs.test.ts',
  'tests/api/saved-views.test.ts',
  'tests/api/search-hits.test.ts',
  'tests/api/search-many-words.test.ts',
  'tests/api/search-page.test.ts',
  'tests/api/search.test.ts',
  'tests/api/second-factor.test.ts',
  'tests/api/security-log.test.ts',
  'tests/api/service-calendar.test.ts',
  'tests/api/service.test.ts',
  'tests/api/session.test.ts',
  'tests/api/silence-limits.test.ts',
  'tests/api/simulator.test.ts',
  'tests/api/site-days.test.ts',
  'tests/api/superseded-runs.test.ts',
  'tests/api/thingsboard.test.ts',
  'tests/api/typed-client.test.ts',
  'tests/api/vda-distance.test.ts',
  'tests/api/walls.test.ts',
  'tests/api/whole-demo.test.ts',
  'tests/api/zone-alerts.test.ts',
  'tests/api/zone-cleanings.test.ts',
];
const { SWEEPLINE_TEST_DATABASE, SWEEPLINE_TEST_WHOLE, SWEEPLINE_TEST_BUILT } = process.env;
// Only `npm test` sets `pglite`, and then also runs the pass on PostgreSQL.
const isPartial = SWEEPLINE_TEST_DATABASE === 'pglite' && SWEEPLINE_TEST_WHOLE !== 'yes';
const exclude = SWEEPLINE_TEST_DATABASE === 'postgres' ? ownDatabases : isPartial ? anyDatabase : [];
// Loads the server's threads from a build of the same sources if there is one; tests/support/startTestApp.ts checks this.
const builtThread = fileURLToPath(new URL('./tests/support/startBuiltThread.ts', import.meta.url));
const alias = SWEEPLINE_TEST_BUILT ? [{ find: /^.*\/shared\/startThread$/, replacement: builtThread }] : [];
// A worker loads the server once for all of its files, which saves a fifth of their time.
const shared = { isolate: false };
// Generous, since only failing tests take that long.
const long = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } };
const rendering = { environment: 'jsdom', ...long };
// A mock would stay in the modules that loaded it, so these files do not share modules.
const uiFolder = new URL('./tests/ui/', import.meta.url);
const mockingFiles = readdirSync(uiFolder)
  .filter((name) => readFileSync(new URL(name, uiFolder), 'utf8').includes('vi.mock('))
  .map((name) => `tests/ui/${name}`);
// Tests spend up to half of their time waiting for timers, servers and browsers, so four workers use two cores.
const waiting = { maxWorkers: 4, sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], ...shared, ...long } },
      {
        extends: true,
        test: {
          name: 'ui',
          include: ['tests/ui/*.test.{ts,tsx}'],
          exclude: mockingFiles,
          setupFiles: ['tests/support/clearWindow.ts'],
          ...rendering,
          ...shared,
        },
      },
      { extends: true, test: { name: 'ui-mocks', include: mockingFiles, ...rendering } },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['tests/api/**/*.test.ts'],
          exclude,
          alias,
          globalSetup: ['tests/support/databases.ts'],
          retry: 1,
          ...waiting,
          ...shared,
          ...long,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/support/demo.ts'],
          retry: 1,
          ...waiting,
          ...shared,
          ...long,
          // A working day has dozens of steps, each with the time limit of tests/support/browser.ts.
          testTimeout: 300_000,
          expect: { poll: { timeout: 90_000 } },
        },
      },
    ],
  },
});
