/** Devices for the demo: speaks OsmAnd over HTTP, and if asked VDA 5050 and ThingsBoard over MQTT, to a running server, a few messages a second, so that the first screen lives. */
import { demoLogins } from '../../db/seed/people';
import { randomOf } from '../../db/seed/random';
import { type Access, fleetOf } from './fleet';
import { jsonOf, queryOf, type Simulated, step } from './machine';
import { openVoices, type Voices } from './mqtt';

export interface SimulatorOptions extends Partial<Access> {
  baseUrl: string;
  /** Machines spoken for, at most. */
  machines?: number;
  seed?: number;
  /** A broker over which the machines that report often speak, VDA 5050 and ThingsBoard, each with a new secret. */
  mqttUrl?: string;
  /** Whether this process is the one that reports, asked every few seconds; without it there is no other. */
  isChosen?(): Promise<boolean>;
  log?: { warn(details: object, message: string): void };
}

/** Seconds between two messages of a machine. The slow ones stay well within the ten minutes of silence that are borne. */
const pauses = { lively: 12, slow: 420 };
const tick = 500;
/** Milliseconds before another try when the server does not answer or lets nobody in. */
const afterFailure = 60_000;
/** Milliseconds until a process that is not the one asks again. */
const askEvery = 3000;
/** Messages on their way at once. */
const parallel = 4;

interface Due {
  machine: Simulated;
  at: number;
  last: number;
}

/** Starts; gives back how to stop, which waits for messages on their way. */
export function startSimulator({ baseUrl, machines = 2000, seed = 7, mqttUrl, log, isChosen, ...access }: SimulatorOptions): () => Promise<void> {
  const { next } = randomOf(seed);
  const [admin] = demoLogins;
  let fleet: Due[] | undefined;
  let voices: Voices | undefined;
  let stopped = false;
  let working: Promise<void> = Promise.resolve();
  let isIdle = true;
  let restUntil = 0;
  let askAt = 0;

  /** Runs what is due; gives back for how many milliseconds to rest. */
  async function round(): Promise<number> {
    if (isChosen && Date.now() >= askAt) {
      if (!(await isChosen())) {
        fleet = undefined;
        return askEvery;
      }
      askAt = Date.now() + askEvery;
    }
    fleet ??= await begun();
    const now = Date.now();
    const due = fleet.filter(({ at }) => at <= now);
    for (let from = 0; from < due.length && !stopped; from += parallel) await Promise.all(due.slice(from, from + parallel).map((one) => report(one)));
    return 0;
  }

  /** Whoever was silent while the server slept is heard of within two minutes, not all at once. */
  async function begun(): Promise<Due[]> {
    const found = await fleetOf({ baseUrl, email: admin?.email ?? '', password: admin?.password ?? '', ...access }, machines, {
      secrets: mqttUrl !== undefined,
    });
    if (mqttUrl) voices ??= await openVoices(mqttUrl);
    const now = Date.now();
    return found.map((machine) => ({ machine, at: now + next() * (machine.lively ? pauses.lively : 120) * 1000, last: now }));
  }

  async function report(due: Due): Promise<void> {
    const now = Date.now();
    step(due.machine, (now - due.last) / 1000, next);
    due.last = now;
    due.at = now + (due.machine.lively ? pauses.lively : pauses.slow) * 1000 * (0.8 + next() * 0.4);
    const { machine } = due;
    if (voices && machine.secret) await voices.say(machine, machine.secret, new Date(now));
    else await send(baseUrl, machine, next() < 0.3);
  }

  const timer = setInterval(() => {
    if (!isIdle || Date.now() < restUntil) return;
    isIdle = false;
    working = round()
      .catch((err: unknown) => {
        log?.warn({ err }, 'the simulator could not report');
        return afterFailure;
      })
      .then((rest) => {
        restUntil = Date.now() + rest;
        isIdle = true;
      });
  }, tick);
  timer.unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await working;
    await voices?.stop();
  };
}

async function send(baseUrl: string, machine: Simulated, asJson: boolean): Promise<void> {
  const now = new Date();
  const answer = asJson
    ? await fetch(`${baseUrl}/ingest/osmand`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(jsonOf(machine, now)) })
    : await fetch(`${baseUrl}/ingest/osmand?${queryOf(machine, now)}`);
  await answer.arrayBuffer();
}
