/**
 * `npm run bench`: the API beside the limit of its database (bare.ts) on 100,000 machines, both on the same rows in one
 * run, load from a third process, everything on 127.0.0.1. Prints ratios and keeps them in tests/bench/results/. With
 * `--crowd 100000` the lists of as many clients and users instead; with `--fleet` questions about whole fleets of
 * 10,000 and 100,000 machines. `--machines 100000 --crowd 100000 --seconds 4 --database postgres|pglite|both --rounds 3
 * --at 1,10,50`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { root } from '../support/sources';
import { type Comparison, compare } from './compare';
import { measureFleets } from './fleet';
import { measureIngest, printed } from './ingest';
import { openPglitePair, openPostgresPair, type Pair, type Size } from './pairs';
import { type ListedName, scenariosOf } from './scenarios';
import { measureStarts } from './starts';

const { values } = parseArgs({
  options: {
    machines: { type: 'string' },
    crowd: { type: 'string' },
    fleet: { type: 'boolean', default: false },
    at: { type: 'string', default: '1,10,50' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    database: { type: 'string', default: 'both' },
  },
});
const crowd = values.crowd === undefined ? undefined : Number(values.crowd);
const size: Size = { machines: Number(values.machines ?? (crowd ? 10_000 : 100_000)), crowd };
const entities: readonly ListedName[] = crowd ? ['clients', 'users'] : ['machines'];
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);

/** What the product promises at concurrency 10, as the ratio of requests per second to the limit's. */
interface Report {
  database: string;
  size: Size;
  comparisons: Comparison[];
  /** Resident MB of the serving process under load. */
  memory: number;
}

async function run(database: string, open: () => Promise<Pair>): Promise<Report> {
  console.log(
    `\n${database}: loading ${size.machines.toLocaleString('en')} machines${crowd ? `, ${crowd.toLocaleString('en')} clients and users` : ''} ...`,
  );
  const pair = await open();
  try {
    const comparisons: Comparison[] = [];
    let memory = 0;
    console.log(
      `${'scenario'.padEnd(30)} ${'at once'.padStart(7)} ${'req/s'.padStart(9)} ${'p50 ms'.padStart(8)} ${'p99 ms'.padStart(8)} ${'limit'.padStart(9)} ${'ratio'.padStart(7)}   bar`,
    );
    for (const scenario of (await Promise.all(entities.map((entity) => scenariosOf(pair, entity)))).flat()) {
      for (const concurrency of values.at.split(',').map(Number)) {
        const comparison = await compare(pair, { scenario, concurrency, seconds, rounds });
        memory = Math.max(memory, pair.product.memory());
        comparisons.push(comparison);
        print(comparison);
      }
    }
    console.log(`memory of the server: ${memory.toFixed(0)} MB (bar: ${database === 'PostgreSQL' ? 200 : 450} MB)`);
    return { database, size, comparisons, memory };
  } finally {
    await pair.close();
  }
}

function print({ scenario, concurrency, product, limit, ratio, bar }: Comparison): void {
  const columns = [
    scenario.padEnd(30),
    String(concurrency).padStart(7),
    product.rate.toFixed(0).padStart(9),
    product.p50.toFixed(2).padStart(8),
    product.p99.toFixed(2).padStart(8),
  ];
  const verdict = bar === undefined || concurrency !== 10 ? '' : `  ${ratio >= bar ? 'holds' : 'MISSED'} ${bar}`;
  console.log(`${columns.join(' ')} ${limit.rate.toFixed(0).padStart(9)} ${ratio.toFixed(2).padStart(7)} ${verdict}`);
}

if (values.fleet) {
  const sizes = values.machines?.split(',').map(Number);
  const fleets = await measureFleets(values.database === 'pglite' ? 'pglite' : 'postgres', rounds, sizes);
  keep('fleet', { fleets });
  process.exit();
}
const reports: Report[] = [];
if (values.database !== 'pglite') reports.push(await run('PostgreSQL', () => openPostgresPair(size)));
if (values.database !== 'postgres') reports.push(await run('PGlite', () => openPglitePair(size)));
const ingested = crowd || values.database === 'pglite' ? [] : await measureIngest(seconds);
if (ingested.length > 0) console.log('\ntelemetry on PostgreSQL, acknowledged when durable');
for (const result of ingested) console.log(printed(result));
const starts = crowd ? undefined : await measureStarts();
if (starts)
  console.log(
    `\nstart from a built tree with the demo fleet: first ${starts.first.toFixed(1)} s (bar: 3 s), second ${starts.second.toFixed(1)} s (bar: 2 s)`,
  );

keep(crowd ? 'crowd' : 'api', { seconds, reports, ingested, starts });

/** Writes results with what they were measured on. */
function keep(name: string, measured: object): void {
  const folder = `${root}tests/bench/results`;
  mkdirSync(folder, { recursive: true });
  const on = { at: new Date().toISOString(), node: process.version, cpus: cpus().length, model: cpus()[0]?.model };
  writeFileSync(`${folder}/${name}.json`, `${JSON.stringify({ ...on, rounds, ...measured }, null, 2)}\n`);
}
