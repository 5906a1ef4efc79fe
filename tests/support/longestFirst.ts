/**
 * Order of test files: the longest start first, so that no worker is busy alone at the end. Vitest sorts by the
 * durations of its last run, but in a fresh clone only by file size, and these files are small.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

export const longFiles = [
  'tests/e2e/axe.test.ts',
  'tests/e2e/routes.test.ts',
  'tests/e2e/added-roles.test.ts',
  'tests/e2e/outbox.test.ts',
  'tests/e2e/failures.test.ts',
  'tests/e2e/overlays.test.ts',
  'tests/e2e/days/floor.test.ts',
  'tests/e2e/days/country-manager.test.ts',
  'tests/e2e/days/customer-admin.test.ts',
  'tests/e2e/days/admin.test.ts',
  'tests/e2e/stock.test.ts',
  'tests/api/rolling-restart.test.ts',
  'tests/api/faults.test.ts',
  'tests/api/whole-demo.test.ts',
  'tests/api/embedded-load.test.ts',
  'tests/api/db-embedded.test.ts',
  'tests/api/attacks/blocking.test.ts',
  'tests/api/import-roundtrip.test.ts',
  'tests/api/import-pieces.test.ts',
  'tests/api/import-crash.test.ts',
  'tests/api/replica.test.ts',
  'tests/api/mqtt-slots.test.ts',
  'tests/api/processes.test.ts',
  'tests/api/db-claims.test.ts',
  'tests/api/live-many.test.ts',
  'tests/api/mail.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sortedFiles = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longFiles.includes(relative(this.ctx.config.root, moduleId));
    return [...sortedFiles.filter(isLong), ...sortedFiles.filter((file) => !isLong(file))];
  }
}
