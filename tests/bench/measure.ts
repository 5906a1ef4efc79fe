/** Measures a scenario for a role on the product, and compares the result with the limit. */

import type { Figure } from './figures';
import { differenceOf, type ListResult, readRows } from './listResults';
import type { LoadResult } from './loadGenerator';
import type { Pair } from './openPair';
import type { BenchRequest, BenchRole, Scenario } from './scenario';
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
  pathOf(request: BenchRequest): string;
  read(body: string): ListResult;
}

interface MeasureContext {
  scenario: Scenario;
  requests: readonly BenchRequest[];
  product: Side;
  limit: Side;
}

type Result = Pick<Figure, 'value' | 'milliseconds' | 'limitMilliseconds' | 'firstMilliseconds' | 'fault'>;

export async function measure(
  pair: Pair,
  scenario: Scenario,
  role: BenchRole,
  options: MeasureOptions,
): Promise<Figure> {
  const { title, unit, bars, entity = 'machines', read = readRows, readLimit = readRows } = scenario;
  const { token, scope } = await pair.signIn(role, entity);
  await pair.setLimit(scenario.limit({ ...pair.context, role, scope }));
  const context: MeasureContext = {
    scenario,
    requests: scenario.requests(pair.context),
    product: { port: pair.product.port, token, pathOf: ({ path }) => `/api/v1/${path}`, read },
    limit: {
      port: pair.limit.port,
      pathOf: ({ values = [] }) => `/${values.map((value) => encodeURIComponent(value)).join('/')}`,
      read: readLimit,
    },
  };
  const result = await (unit === 'ratio' ? measureThroughput(context, options) : measureLatency(context, options));
  const fault = scenario.rolesNotCompared?.includes(role) ? undefined : result.fault;
  return { title, role, size: pair.context.machines, unit, bar: bars[role], ...result, fault };
}

/**
 * Medians over the rounds. Each round loads both sides, in alternating order, so that other load on the computer
 * affects both.
 */
async function measureThroughput(
  context: MeasureContext,
  { seconds, rounds, concurrency }: MeasureOptions,
): Promise<Result> {
  const load = startLoad();
  const { requests } = context;
  const expectedStatus = requests[0]?.method === 'POST' ? 201 : 200;
  const jobOf = ({ port, token, pathOf }: Side) => ({
    port,
    token,
    concurrency,
    seconds,
    expectedStatus,
    requests: requests.map((request) => ({
      method: request.method ?? 'GET',
      path: pathOf(request),
      body: request.body,
    })),
  });
  const jobs = { product: jobOf(context.product), limit: jobOf(context.limit) };
  const results: Record<SideName, LoadResult>[] = [];
  let fault = await findFirstDifference(context);
  try {
    for (let round = 0; round < rounds; round += 1) {
      const result: Partial<Record<SideName, LoadResult>> = {};
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const loadResult = await load.run(jobs[side]);
        if (loadResult.wrongCount > 0) fault ??= `${loadResult.wrongCount} answers of the ${side} had another status`;
        result[side] = loadResult;
      }
      results.push(result as Record<SideName, LoadResult>);
    }
  } finally {
    load.end();
  }
  fault ??= await findFirstDifference(context);
  return {
    value: median(results.map(({ product, limit }) => product.rate / limit.rate)),
    milliseconds: median(results.map(({ product }) => product.p50)),
    limitMilliseconds: median(results.map(({ limit }) => limit.p50)),
    fault,
  };
}

/** Median milliseconds until the last byte; at least those of the first response if it counts. */
async function measureLatency(context: MeasureContext, options: MeasureOptions): Promise<Result> {
  const { scenario, requests, product, limit } = context;
  const times: number[] = [];
  const limitTimes: number[] = [];
  let fault: string | undefined;
  const rounds = scenario.rounds ?? options.rounds;
  for (let round = 0; round < rounds; round += 1) {
    const request = requests[round % requests.length] as BenchRequest;
    if (request.prerequisite) await sendRequest(product, { ...request, ...request.prerequisite });
    const response = await sendRequest(product, request);
    times.push(response.milliseconds);
    if (scenario.unit === 'times')
      limitTimes.push((await sendRequest({ ...limit, pathOf: () => '/copy' }, request)).milliseconds);
    if (round === rounds - 1 || request.method === 'DELETE') fault ??= await findDifference(context, request, response);
  }
  const milliseconds = median(times);
  const firstMilliseconds = scenario.isFirstCounted ? times[0] : undefined;
  return scenario.unit === 'times'
    ? { value: milliseconds / median(limitTimes), milliseconds, limitMilliseconds: median(limitTimes), fault }
    : { value: Math.max(milliseconds, firstMilliseconds ?? 0), milliseconds, firstMilliseconds, fault };
}

/** Maximum number of requests whose responses are compared, spread evenly over all requests. */
const maxComparedRequests = 5;

async function findFirstDifference(context: MeasureContext): Promise<string | undefined> {
  const { requests } = context;
  for (let index = 0; index < Math.min(maxComparedRequests, requests.length); index += 1) {
    const request = requests[Math.floor((index * requests.length) / maxComparedRequests)] as BenchRequest;
    const difference = await findDifference(context, request);
    if (difference) return difference;
  }
  return undefined;
}

/** Returns how the responses differ. Compares up to three times, because the database may change in between. */
async function findDifference(
  context: MeasureContext,
  request: BenchRequest,
  previousResponse?: TimedResponse,
): Promise<string | undefined> {
  const { scenario, product, limit } = context;
  let difference: string | undefined;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const productResult = attempt === 0 && previousResponse ? previousResponse : await sendRequest(product, request);
    const limitResult = await sendRequest(limit, request.method === 'DELETE' ? { ...request, method: 'GET' } : request);
    difference = differenceOf(product.read(productResult.body), limit.read(limitResult.body), scenario);
    if (difference === undefined || request.method === 'DELETE') break;
  }
  return difference;
}

interface TimedResponse {
  body: string;
  milliseconds: number;
}

let requestCount = 0;

async function sendRequest({ port, token, pathOf }: Side, request: BenchRequest): Promise<TimedResponse> {
  requestCount += 1;
  const uniqueSuffix = `${process.pid}-${Date.now().toString(36)}-${requestCount}`;
  const start = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${pathOf(request)}`, {
    method: request.method ?? 'GET',
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(request.body && { 'Content-Type': 'application/json' }),
    },
    body: request.body?.replaceAll('%n', uniqueSuffix),
  });
  const body = await response.text();
  const milliseconds = performance.now() - start;
  if (!response.ok) throw new Error(`${pathOf(request)} was answered with ${response.status}: ${body.slice(0, 500)}`);
  return { body, milliseconds };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
