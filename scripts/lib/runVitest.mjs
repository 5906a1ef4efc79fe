/** Runs vitest and counts the results. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { run } from './run.mjs';

/**
 * Runs the tests of a project. Skipped tests, files that fail to load and errors outside of tests count as failed.
 * @returns {Promise<{ passed: number, failed: number, report: import('./reporter.mjs').Report }>}
 */
export async function runVitest(project, env = {}, options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sweepline-vitest-'));
  const path = join(folder, 'report.json');
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    project,
    '--reporter=default',
    `--reporter=${root}scripts/lib/reporter.mjs`,
  ];
  const code = await run(process.execPath, args, {
    ...options,
    cwd: root,
    env: { ...process.env, ...env, SWEEPLINE_TEST_REPORT: path },
  });
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    if (code !== 0 && report.failed.length === 0)
      report.failed.push({ name: project, error: `vitest ended with ${code}` });
    return { passed: report.passed, failed: report.failed.length, report };
  } catch {
    // There is no report, so vitest itself did not run.
    return {
      passed: 0,
      failed: 1,
      report: { failed: [{ name: project, error: `vitest ended with ${code} before it could report` }], second: [] },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
