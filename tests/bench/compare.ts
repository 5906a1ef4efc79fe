/** One scenario measured on the product and on the limit, in turns, so that a busy moment of the machine hits both. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { root } from '../support/sources';
import type { Job, Measured } from './load';
import type { Pair } from './pairs';
import type { Scenario } from './scenarios';

export interface Comparison {
  scenario: string;
  concurrency: number;
  product: Measured;
  limit: Measured;
  /** Requests per second of the product to those of the limit. */
  ratio: number;
  bar?: number;
}

/** Medians over the rounds. Throws when a request was answered with another status than expected. */
export async function compare(
  pair: Pair,
  {
    scenario,
    concurrency,
    seconds,
    rounds,
  }: { scenario: Scenario; concurrency: number; seconds: number; rounds: number },
): Promise<Comparison> {
  const load = startLoad();
  const measured: { product: Measured[]; limit: Measured[] } = { product: [], limit: [] };
  const jobs = {
    product: { port: pair.product.port, token: pair.product.token, requests: scenario.product },
    limit: { port: pair.limit.port, requests: scenario.limit },
  };
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const side of round % 2 === 0 ? (['product', 'limit'] as const) : (['limit', 'product'] as const)) {
        measured[side].push(await load.run({ ...jobs[side], concurrency, seconds, expect: scenario.expect }));
      }
    }
  } finally {
    load.end();
  }
  for (const side of ['product', 'limit'] as const)
    for (const { wrong, answers } of measured[side])
      if (wrong > 0)
        throw new Error(`${scenario.name}: ${wrong} of ${wrong + answers} answers of the ${side} were wrong.`);
  const [product, limit] = [median(measured.product), median(measured.limit)];
  return { scenario: scenario.name, concurrency, product, limit, ratio: product.rate / limit.rate, bar: scenario.bar };
}

function median(measured: readonly Measured[]): Measured {
  const byRate = [...measured].sort((a, b) => a.rate - b.rate);
  return byRate[Math.floor(byRate.length / 2)] as Measured;
}

export function startLoad() {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'tests/bench/load.ts'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  return {
    run: async (job: Job): Promise<Measured> => {
      child.stdin?.write(`${JSON.stringify(job)}\n`);
      const { value } = await lines.next();
      const answer = JSON.parse(String(value)) as Measured | { error: string };
      if ('error' in answer) throw new Error(answer.error);
      return answer;
    },
    end: () => child.stdin?.end(),
  };
}
