/** Stores results: figures in tests/bench/results/, tables in docs/performance.md. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { root } from '../support/sources';
import { type Figure, replaceSection } from './figures';

const pagePath = `${root}docs/performance.md`;

/** Stores the results under `name`, that of the file and of the section in docs/performance.md. */
export function storeResults(name: string, figures: readonly Figure[], tables: string): void {
  const environment = describeEnvironment();
  const folder = `${root}tests/bench/results`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${name}.json`, `${JSON.stringify({ ...environment, figures }, null, 2)}\n`);
  const { at, commit, cpus, model, node } = environment;
  const headline = `Measured on ${at.slice(0, 10)} at commit ${commit}, ${cpus} cores of ${model}, Node.js ${node}.`;
  writeFileSync(pagePath, replaceSection(readFileSync(pagePath, 'utf8'), name, `${headline}\n\n${tables}`));
}

function describeEnvironment() {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', 'demo', 'schema', 'server', 'src') !== '';
  return {
    at: new Date().toISOString(),
    commit: `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`,
    node: process.version,
    cpus: cpus().length,
    model: cpus()[0]?.model.trim(),
  };
}
