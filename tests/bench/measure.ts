/** One scenario for one role, measured on the product and compared with the limit. */
import { type Answer, differenceOf, readRows } from './answers';
import type { Figure } from './figures';
import type { Measured } from './load';
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
  read(body: string): Answer;
}

interface Asking {
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
  const asking: Asking = {
    scenario,
    questions: scenario.questions(pair.context),
    product: { port: pair.product.port, token, pathOf: ({ path }) => `/api/v1/${path}`, read },
    limit: {
      port: pair.limit.port,
      pathOf: ({ values = [] }) => `/${values.map((value) => encodeURIComponent(value)).join('/')}`,
      read: readLimit,
    },
  };
  const result = await (unit === 'ratio' ? underLoad(asking, options) : oneByOne(asking, options));
  const wrong = scenario.uncompared?.includes(role) ? undefined : result.wrong;
  return { work, role, size: pair.context.machines, unit, bar: bars[role], ...result, wrong };
}

/** Medians of the rounds. Both are loaded in each, in turns, so that a busy moment of the machine hits both. */
async function underLoad(asking: Asking, { seconds, rounds, concurrency }: MeasureOptions): Promise<Result> {
  const load = startLoad();
  const { questions } = asking;
  const expect = questions[0]?.method === 'POST' ? 201 : 200;
  const jobOf = ({ port, token, pathOf }: Side) => ({
    ...{ port, token, concurrency, seconds, expect },
    requests: questions.map((question) => ({
      method: question.method ?? 'GET',
      path: pathOf(question),
      body: question.body,
    })),
  });
  const jobs = { product: jobOf(asking.product), limit: jobOf(asking.limit) };
  const results: Record<SideName, Measured>[] = [];
  let wrong = await firstDifference(asking);
  try {
    for (let round = 0; round < rounds; round += 1) {
      const result: Partial<Record<SideName, Measured>> = {};
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const measured = await load.run(jobs[side]);
        if (measured.wrong > 0) wrong ??= `${measured.wrong} answers of the ${side} had another status`;
        result[side] = measured;
      }
      results.push(result as Record<SideName, Measured>);
    }
  } finally {
    load.end();
  }
  wrong ??= await firstDifference(asking);
  return {
    value: median(results.map(({ product, limit }) => product.rate / limit.rate)),
    milliseconds: median(results.map(({ product }) => product.p50)),
    limitMilliseconds: median(results.map(({ limit }) => limit.p50)),
    wrong,
  };
}

/** Milliseconds until the last byte: the median; not less than the first where it counts. */
async function oneByOne(asking: Asking, options: MeasureOptions): Promise<Result> {
  const { scenario, questions, product, limit } = asking;
  const times: number[] = [];
  const limitTimes: number[] = [];
  let wrong: string | undefined;
  const rounds = scenario.rounds ?? options.rounds;
  for (let round = 0; round < rounds; round += 1) {
    const question = questions[round % questions.length] as Question;
    if (question.before) await ask(product, { ...question, ...question.before });
    const answer = await ask(product, question);
    times.push(answer.milliseconds);
    if (scenario.unit === 'times')
      limitTimes.push((await ask({ ...limit, pathOf: () => '/copy' }, question)).milliseconds);
    if (round === rounds - 1 || question.method === 'DELETE') wrong ??= await differenceAt(asking, question, answer);
  }
  const milliseconds = median(times);
  const first = scenario.isFirstCounted ? times[0] : undefined;
  return scenario.unit === 'times'
    ? { value: milliseconds / median(limitTimes), milliseconds, limitMilliseconds: median(limitTimes), wrong }
    : { value: Math.max(milliseconds, first ?? 0), milliseconds, first, wrong };
}

/** Questions of a load that are compared, from all over. */
const compared = 5;

async function firstDifference(asking: Asking): Promise<string | undefined> {
  const { questions } = asking;
  for (let nth = 0; nth < Math.min(compared, questions.length); nth += 1) {
    const question = questions[Math.floor((nth * questions.length) / compared)] as Question;
    const difference = await differenceAt(asking, question);
    if (difference) return difference;
  }
  return undefined;
}

/** The database may change between the two answers: machines fall silent. A difference must be seen three times. */
async function differenceAt(asking: Asking, question: Question, last?: Answered): Promise<string | undefined> {
  const { scenario, product, limit } = asking;
  let difference: string | undefined;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const own = attempt === 0 && last ? last : await ask(product, question);
    const other = await ask(limit, question.method === 'DELETE' ? { ...question, method: 'GET' } : question);
    difference = differenceOf(product.read(own.body), limit.read(other.body), scenario);
    if (difference === undefined || question.method === 'DELETE') break;
  }
  return difference;
}

interface Answered {
  body: string;
  milliseconds: number;
}

let count = 0;

async function ask({ port, token, pathOf }: Side, question: Question): Promise<Answered> {
  count += 1;
  const unique = `${process.pid}-${Date.now().toString(36)}-${count}`;
  const began = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}${pathOf(question)}`, {
    method: question.method ?? 'GET',
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(question.body && { 'Content-Type': 'application/json' }),
    },
    body: question.body?.replaceAll('%n', unique),
  });
  const body = await answer.text();
  const milliseconds = performance.now() - began;
  if (!answer.ok) throw new Error(`${pathOf(question)} was answered with ${answer.status}: ${body.slice(0, 500)}`);
  return { body, milliseconds };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
