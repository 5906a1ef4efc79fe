/**
 * `npm test`: types, lint, unit tests, rendered components, the API on the embedded database and on PostgreSQL, and a
 * real browser. Nothing is skipped silently: whatever cannot run counts as failed. The last line is `N passed, N
 * failed`. `npm test -- unit api` runs only the named parts.
 */
import { setUpMemoryFolder } from './lib/memoryFolder.mjs';
import { providePrograms } from './lib/needs.mjs';
import { root } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { runVitest } from './lib/runVitest.mjs';
import { isBuilt } from './lib/sources.mjs';

const runOnce = async (args, options) => {
  if ((await run(process.execPath, args, options)) === 0) return { passed: 1, failed: 0 };
  return { passed: 0, failed: 1, report: { failed: [{ name: args.join(' '), error: '' }], second: [] } };
};

const parts = {
  types: (options) => runOnce([`${root}node_modules/typescript/bin/tsc`, '--noEmit', '-p', '.'], options),
  lint: (options) =>
    runOnce([`${root}node_modules/@biomejs/biome/bin/biome`, 'check', '--diagnostic-level=error', '.'], options),
  build: (options) => runOnce(['scripts/build.mjs'], options),
  unit: (options) => runVitest('unit', {}, options),
  ui: (options) => runVitest('ui*', buildEnv(), options),
  api: (options) => runVitest('api', { SWEEPLINE_TEST_DATABASE: 'pglite', ...buildEnv() }, options),
  'api-postgres': (options) => runVitest('api', { SWEEPLINE_TEST_DATABASE: 'postgres', ...buildEnv() }, options),
  e2e: (options) => runVitest('e2e', {}, options),
};

/**
 * Parts in the order in which they run. The lanes of a stage run side by side, because each of the short parts on its
 * own would leave one of two cores idle most of the time. The long parts keep both cores busy by themselves.
 */
const stages = [
  [
    ['build', 'ui'],
    ['types', 'lint', 'unit'],
  ],
  [['api']],
  [['api-postgres']],
  [['e2e']],
];

/** Servers and threads that tests start come from the build, if there is one. */
const buildEnv = () => (isBuilt() ? { SWEEPLINE_TEST_BUILT: 'yes' } : {});

const indented = (text) => (text === '' ? '' : `\n${text}`.replaceAll('\n', '\n    '));

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. Parts are ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}

setUpMemoryFolder();
const missing = providePrograms();
for (const sentence of missing) console.error(sentence);

const isWanted = (name) => selected.length === 0 || selected.includes(name);
const results = [];

/** Runs one part. If other parts print at the same time, collects its output and prints it at the end. */
async function runPart(name, isAlone) {
  const started = performance.now();
  const title = `\n── ${name}\n`;
  const pieces = [title];
  if (isAlone) process.stdout.write(title);
  const { passed, failed, report } = await parts[name](isAlone ? {} : { onOutput: (text) => pieces.push(text) });
  if (!isAlone) process.stdout.write(pieces.join(''));
  results.push({ name, passed, failed, report, seconds: (performance.now() - started) / 1000 });
}

for (const stage of stages) {
  const lanes = stage.map((names) => names.filter(isWanted)).filter((names) => names.length > 0);
  await Promise.all(
    lanes.map(async (names) => {
      for (const name of names) await runPart(name, lanes.length === 1);
    }),
  );
}

results.sort((a, b) => Object.keys(parts).indexOf(a.name) - Object.keys(parts).indexOf(b.name));

// Repeats the failures for readers who keep only the last lines of the output.
for (const { name, report } of results) {
  for (const test of report?.second ?? [])
    console.log(`\npassed on the second attempt: ${name}: ${test.name}${indented(test.error)}`);
  for (const test of report?.failed ?? []) console.log(`\nfailed: ${name}: ${test.name}${indented(test.error)}`);
}

console.log();
for (const { name, passed, failed, seconds } of results) {
  console.log(
    `${name.padEnd(14)} ${String(passed).padStart(6)} passed ${String(failed).padStart(5)} failed ` +
      `${seconds.toFixed(1).padStart(7)} s`,
  );
}
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const failed = sum('failed') + missing.length;
console.log(`${sum('passed')} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
