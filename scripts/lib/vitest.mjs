/** One run of vitest, counted. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { run } from './run.mjs';

/**
 * Runs the tests of a project; what was skipped, and a file that could not be loaded, counts as failed.
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runVitest(project, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sweepline-vitest-'));
  const report = join(folder, 'report.json');
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run(process.execPath, args, { cwd: root, env: { ...process.env, ...env } });
  try {
    return count(JSON.parse(readFileSync(report, 'utf8')), code);
  } catch {
    // No report: vitest itself could not run.
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function count({ testResults }, code) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = tests.length - passed + unloaded;
  // Errors outside of any test, such as an unhandled rejection, show in the exit code alone.
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}
