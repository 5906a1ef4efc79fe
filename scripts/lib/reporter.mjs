/** Vitest reporter that writes the results of a run to the file named by SWEEPLINE_TEST_REPORT. */
import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** @typedef {{ name: string, error: string }} TestFailure File and name of the test, and the error. */
/**
 * @typedef {{ passed: number, failed: TestFailure[], second: TestFailure[] }} Report `second`: tests that passed on
 * the second attempt.
 */

export default class Reporter {
  onTestRunEnd(modules, unhandled) {
    const report = { passed: 0, failed: [], second: [] };
    for (const module of modules) {
      const file = module.relativeModuleId;
      // If a file fails to load, or its hooks fail, the errors belong to the file or to a suite.
      for (const suite of [module, ...module.children.allSuites()])
        if (suite.errors().length > 0)
          report.failed.push({ name: fullName(file, suite.fullName), error: firstLines(suite.errors()) });
      for (const test of module.children.allTests()) record(report, file, test);
    }
    // Errors outside of tests, such as an unhandled rejection.
    for (const error of unhandled) report.failed.push({ name: 'outside of any test', error: firstLines([error]) });
    writeFileSync(process.env.SWEEPLINE_TEST_REPORT, JSON.stringify(report));
  }
}

function record(report, file, test) {
  const { state, errors = [] } = test.result();
  const entry = { name: fullName(file, test.fullName), error: firstLines(errors) };
  if (state !== 'passed') report.failed.push({ ...entry, error: entry.error || 'was not run' });
  else {
    report.passed += 1;
    if (test.diagnostic()?.flaky) report.second.push(entry);
  }
}

const fullName = (file, name) => (name && name !== file ? `${file} > ${name}` : file);

/** Returns the first lines of an error's message, and the first location in our sources. */
function firstLines([error]) {
  if (!error) return '';
  const place = error.stacks?.[0] ? [`at ${error.stacks[0].file}:${error.stacks[0].line}`] : [];
  return [...stripVTControlCharacters(String(error.message)).split('\n').slice(0, 8), ...place].join('\n');
}
