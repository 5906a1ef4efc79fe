/** Measures a scenario for a role on the product, and compares it with the limit. */

import type { Figure } from './figures';
import { differenceOf, type ListResult, readRows } from './listResults';
import type { LoadResult } from './load';
import type { Pair } from './pairs';
import type { BenchRole, Question, Scenario } from './scenario';
import { startLoad } from './startLoad';

export interface MeasureOptions {
  seconds: number;
  rounds: number;
  concurrency: number;
}

const sides = ['product', 'limit'] as const;
type SideName = (typeof sides)[number];

interface Side {
  port: number;
  token?: string;
  pathOf(question: Question): string;
  read(body: string): ListResult;
}

interface MeasureContext {
  scenario: Scenario;
  questions: readonly Question[];
  product: Side;
  limit: Side;
}

type Result = Pick<Figure, 'value' | 'milliseconds' | 'limitMilliseconds' | 'first' | 'wrong'>;

export async function measure(
  pair: Pair,
  scenario: Scenario,
  role: BenchRole,
  options: MeasureOptions,
): Promise<Figure> {
  const { work, unit, bars, entity = 'machines', read = readRows, readLimit = readRows } = scenario;
  const { token, scope } = await pair.signIn(role, entity);
  await pair.setLimit(scenario.limit({ ...pair.context, role, scope }));
  const context: MeasureContext = {
    scenario,
    questions: scenario.questions(pair.context),
    product: { port: pair.product.port, token, pathOf: ({ path }) => `/api/v1/${path}`, read },
    limit: {
      port: pair.limit.port,
      pathOf: ({ values = [] }) => `/${values.map((value) => encodeURIComponent(value)).join('/')}`,
      read: readLimit,
    },
  };
  const result = await (unit === 'ratio' ? measureThroughput(context, options) : measureLatency(context, options));
  const wrong = scenario.uncompared?.includes(role) ? undefined : result.wrong;
  return { work, role, size: pair.context.machines, unit, bar: bars[role], ...result, wrong };
}

/** Medians of the rounds. Each round loads both sides, in alternating order, so that a busy moment affects both. */
async function measureThroughput(
  context: MeasureContext,
  { seconds, rounds, concurrency }: MeasureOptions,
): Promise<Result> {
  const load = startLoad();
  const { questions } = context;
  const expect = questions[0]?.method === 'POST' ? 201 : 200;
  const jobOf = ({ port, token, pathOf }: Side) => ({
    ...{ port, token, concurrency, seconds, expect },
    requests: questions.map((question) => ({
      method: question.method ?? 'GET',
      path: pathOf(question),
      body: question.body,
    })),
  });
  const jobs = { product: jobOf(context.product), limit: jobOf(context.limit) };
  const results: Record<SideName, LoadResult>[] = [];
  let wrong = await firstDifference(context);
  try {
    for (let round = 0; round < rounds; round += 1) {
      const result: Partial<Record<SideName, LoadResult>> = {};
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const measured = await load.run(jobs[side]);
        if (measured.wrong > 0) wrong ??= `${measured.wrong} answers of the ${side} had another status`;
        result[side] = measured;
      }
      results.push(result as Record<SideName, LoadResult>);
    }
  } finally {
    load.end();
  }
  wrong ??= await firstDifference(context);
  return {
    value: median(results.map(({ product, limit }) => product.rate / limit.rate)),
    milliseconds: median(results.map(({ product }) => product.p50)),
    limitMilliseconds: median(results.map(({ limit }) => limit.p50)),
    wrong,
  };
}

/** Median milliseconds until the last byte; at least those of the first response where that counts. */
async function measureLatency(context: MeasureContext, options: MeasureOptions): Promise<Result> {
  const { scenario, questions, product, limit } = context;
  const times: number[] = [];
  const limitTimes: number[] = [];
  let wrong: string | undefined;
  const rounds = scenario.rounds ?? options.rounds;
  for (let round = 0; round < rounds; round += 1) {
    const question = questions[round % questions.length] as Question;
    if (question.before) await sendRequest(product, { ...question, ...question.before });
    const response = await sendRequest(product, question);
    times.push(response.milliseconds);
    if (scenario.unit === 'times')
      limitTimes.push((await sendRequest({ ...limit, pathOf: () => '/copy' }, question)).milliseconds);
    if (round === rounds - 1 || question.method === 'DELETE') wrong ??= await differenceAt(context, question, response);
  }
  const milliseconds = median(times);
  const first = scenario.isFirstCounted ? times[0] : undefined;
  return scenario.unit === 'times'
    ? { value: milliseconds / median(limitTimes), milliseconds, limitMilliseconds: median(limitTimes), wrong }
    : { value: Math.max(milliseconds, first ?? 0), milliseconds, first, wrong };
}

/** Maximum number of questions whose answers are compared, spread over all of them. */
const maxCompared = 5;

async function firstDifference(context: MeasureContext): Promise<string | undefined> {
  const { questions } = context;
  for (let nth = 0; nth < Math.min(maxCompared, questions.length); nth += 1) {
    const question = questions[Math.floor((nth * questions.length) / maxCompared)] as Question;
    const difference = await differenceAt(context, question);
    if (difference) return difference;
  }
  return undefined;
}

/** The database may change between the two answers, so a difference counts only if it is seen three times. */
async function differenceAt(
  context: MeasureContext,
  question: Question,
  last?: TimedResponse,
): Promise<string | undefined> {
  const { scenario, product, limit } = context;
  let difference: string | undefined;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const productResult = attempt === 0 && last ? last : await sendRequest(product, question);
    const other = await sendRequest(limit, question.method === 'DELETE' ? { ...question, method: 'GET' } : question);
    difference = differenceOf(product.read(productResult.body), limit.read(other.body), scenario);
    if (difference === undefined || question.method === 'DELETE') break;
  }
  return difference;
}

interface TimedResponse {
  body: string;
  milliseconds: number;
}

let count = 0;

async function sendRequest({ port, token, pathOf }: Side, question: Question): Promise<TimedResponse> {
  count += 1;
  const unique = `${process.pid}-${Date.now().toString(36)}-${count}`;
  const began = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${pathOf(question)}`, {
    method: question.method ?? 'GET',
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(question.body && { 'Content-Type': 'application/json' }),
    },
    body: question.body?.replaceAll('%n', unique),
  });
  const body = await response.text();
  const milliseconds = performance.now() - began;
  if (!response.ok) throw new Error(`${pathOf(question)} was answered with ${response.status}: ${body.slice(0, 500)}`);
  return { body, milliseconds };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
