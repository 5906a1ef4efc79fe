import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/support/longestFirst.ts';

/**
 * Four projects: `unit` (pure logic), `ui` (rendered components), `api` (the real application; SWEEPLINE_TEST_DATABASE
 * says on which database), `e2e` (a started server and a real browser for each worker). On a busy machine something is
 * late now and then, but what is wrong is wrong twice; what passed at the second try only is named at the end.
 */
// These start the databases that they need by themselves: one pass is enough.
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
 * What these prove does not depend on the database: sessions, mails, HTTP, protocols of devices. One pass is enough, on
 * PostgreSQL; with SWEEPLINE_TEST_WHOLE=yes they run on both. `rolesAndEntities` of tests/support/rights.ts does the same.
 */
const anyDatabase = [
  'tests/api/account-emails.test.ts',
  'tests/api/account-sessions.test.ts',
  'tests/api/alert-messages.test.ts',
  'tests/api/attacks/disguise.test.ts',
  'tests/api/attacks/enumeration.test.ts',
  'tests/api/attacks/escalation.test.ts',
  'tests/api/attacks/limits.test.ts',
  'tests/api/headers.test.ts',
  'tests/api/hostile-devices.test.ts',
  'tests/api/http.test.ts',
  'tests/api/impersonate.test.ts',
  'tests/api/json-server.test.ts',
  'tests/api/key-rules.test.ts',
  'tests/api/mail.test.ts',
  'tests/api/metrics.test.ts',
  'tests/api/mqtt-clients.test.ts',
  'tests/api/oidc.test.ts',
  'tests/api/openapi.test.ts',
  'tests/api/owntracks.test.ts',
  'tests/api/parameters.test.ts',
  'tests/api/protocols.test.ts',
  'tests/api/reset.test.ts',
  'tests/api/robot-maps.test.ts',
  'tests/api/second-factor.test.ts',
  'tests/api/security-log.test.ts',
  'tests/api/session.test.ts',
  'tests/api/thingsboard.test.ts',
  'tests/api/typed-client.test.ts',
  'tests/api/vda-distance.test.ts',
];
const { SWEEPLINE_TEST_DATABASE, SWEEPLINE_TEST_WHOLE, SWEEPLINE_TEST_BUILT } = process.env;
// Only `npm test` names the embedded database, and then runs the other pass as well.
const isPartial = SWEEPLINE_TEST_DATABASE === 'pglite' && SWEEPLINE_TEST_WHOLE !== 'yes';
const exclude = SWEEPLINE_TEST_DATABASE === 'postgres' ? ownDatabases : isPartial ? anyDatabase : [];
// Threads of the server come from its build if there is one of these sources: tests/support/app.ts holds that.
const builtThread = fileURLToPath(new URL('./tests/support/startBuiltThread.ts', import.meta.url));
const alias = SWEEPLINE_TEST_BUILT ? [{ find: /^.*\/shared\/startThread$/, replacement: builtThread }] : [];
// A worker loads the server once for all of its files: a fifth of what they cost.
const shared = { isolate: false };
// Waiting ends with what is waited for: patience costs only those who wait in vain.
const long = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } };
// These wait for a fifth to a third of their time for timers, devices, servers and the browser: three fill two cores.
const waiting = { maxWorkers: 3, sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], ...shared, ...long } },
      { extends: true, test: { name: 'ui', include: ['tests/ui/**/*.test.{ts,tsx}'], ...long } },
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
          // A day has dozens of steps, each with a limit of its own, that of tests/support/browser.ts.
          testTimeout: 300_000,
          expect: { poll: { timeout: 90_000 } },
        },
      },
    ],
  },
});
