/**
 * `npm run bench`: measures the API on fleets of 10,000 and 100,000 machines, compares it with a bare server on the
 * same rows (the limit, bareServer.ts), and computes the growth between the sizes. A third process generates the load;
 * everything runs on 127.0.0.1. Prints figures and bars, stores them in tests/bench/results/ and writes
 * docs/performance.md. Fails if a bar is missed or a response is wrong.
 *
 * For a quick look, which only prints: `--sizes 500,2000 --only dashboard --seconds 0.5 --rounds 2`; with `--database
 * pglite` on the embedded database.
 */
import { parseArgs } from 'node:util';
import { type BenchDatabases, openEmbeddedDatabases, openServerDatabases } from './benchDatabases';
import { type Figure, failures, printBar, printFigure, printSizesTable, printTable, verdictOf } from './figures';
import { fleetScenarios } from './fleetScenarios';
import { crowdScenarios, machineScenarios } from './listScenarios';
import { measure } from './measure';
import { measureIngest } from './measureIngest';
import { measureStarts } from './measureStarts';
import { openPair, type Pair } from './openPair';
import type { BenchRole, LimitEntityName, Scenario } from './scenario';
import { storeResults } from './storeResults';

const wholeRun = { sizes: '10000,100000', database: 'postgres', only: '' };
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: wholeRun.sizes },
    database: { type: 'string', default: wholeRun.database },
    only: { type: 'string', default: wholeRun.only },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    at: { type: 'string', default: '10' },
  },
});
const sizes = values.sizes.split(',').map(Number);
const options = { seconds: Number(values.seconds), rounds: Number(values.rounds), concurrency: Number(values.at) };
const isSelectedTitle = (title: string) => title.includes(values.only);
const figuresBySize: Figure[] = [];
const otherFigures: Figure[] = [];

function report(figures: Figure[], figure: Figure): void {
  const { title, role = '', fault = '' } = figure;
  figures.push(figure);
  console.log(
    `${title.padEnd(40)} ${role.padEnd(16)} ${printFigure(figure).padEnd(24)} ${printBar(figure).padEnd(26)} ${verdictOf(figure)} ${fault}`,
  );
}

interface ScenarioGroup {
  scenarios: readonly Scenario[];
  entities: readonly LimitEntityName[];
  crowd?: number;
}

/** Measures a scenario. A failed request counts as a wrong response, so the run fails at its end. */
const measureOrSkip = (pair: Pair, scenario: Scenario, role: BenchRole): Promise<Figure> =>
  measure(pair, scenario, role, options).catch((error: Error) => {
    const { title, unit, bars } = scenario;
    const size = pair.context.machines;
    return { title, role, size, unit, bar: bars[role], value: Number.NaN, fault: error.message };
  });

/** Runs one group of scenarios on a fresh copy of the database. */
async function runGroup(databases: BenchDatabases, machines: number, { scenarios, entities, crowd }: ScenarioGroup) {
  const selectedScenarios = scenarios.filter(({ title }) => isSelectedTitle(title));
  if (selectedScenarios.length === 0) return;
  const pair = await openPair(await databases.copy(machines, crowd), { machines, entities });
  try {
    for (const scenario of selectedScenarios)
      for (const role of Object.keys(scenario.bars) as BenchRole[])
        report(figuresBySize, await measureOrSkip(pair, scenario, role));
    const memory = { title: `memory of the server, ${entities.join(' and ')}`, size: machines, unit: 'MB' } as const;
    report(figuresBySize, { ...memory, value: pair.product.memory(), bar: databases.name === 'PGlite' ? 450 : 200 });
  } finally {
    await pair.close();
  }
}

const databases = await (values.database === 'pglite' ? openEmbeddedDatabases() : openServerDatabases());
try {
  for (const machines of sizes) {
    console.log(`\n${databases.name}, ${machines.toLocaleString('en')} machines`);
    const loadSeconds = await databases.load(machines);
    const loadFigure = { title: 'loading the demo', size: machines, unit: 's' } as const;
    if (loadSeconds !== undefined)
      report(figuresBySize, { ...loadFigure, value: loadSeconds, milliseconds: loadSeconds * 1000, bar: 60 });
    await runGroup(databases, machines, {
      scenarios: [...fleetScenarios, ...machineScenarios],
      entities: ['machines'],
    });
    await runGroup(databases, machines, { scenarios: crowdScenarios, entities: ['clients', 'users'], crowd: machines });
  }
} finally {
  await databases.close();
}
console.log('');
if (isSelectedTitle('telemetry') && values.database !== 'pglite')
  for (const figure of await measureIngest(options.seconds)) report(otherFigures, figure);
if (isSelectedTitle('start')) for (const figure of await measureStarts()) report(otherFigures, figure);

const isWhole = Object.entries(wholeRun).every(([name, value]) => values[name as keyof typeof wholeRun] === value);
if (isWhole)
  storeResults(
    'api',
    [...figuresBySize, ...otherFigures],
    `${printSizesTable(figuresBySize)}\n\n${printTable(otherFigures)}`,
  );
else console.log(`\n${printSizesTable(figuresBySize)}\n\n${printTable(otherFigures)}`);

const failedLines = failures([...figuresBySize, ...otherFigures]);
for (const failure of failedLines) console.error(failure);
process.exitCode = failedLines.length > 0 ? 1 : 0;
