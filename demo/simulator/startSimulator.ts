/**
 * Devices of the demo: a few messages a second in every protocol to a running server, so that the first screen is live.
 */
import { demoLogins } from '../seed/people';
import { type Access, fleetOf } from './fleet';
import { openSimulation, type Simulation } from './simulation';

export interface SimulatorOptions extends Partial<Access> {
  baseUrl: string;
  /** The broker for VDA 5050 and ThingsBoard; without one the machines use HTTP alone. */
  mqttUrl?: string | undefined;
  /** Maximum number of machines. */
  machines?: number;
  seed?: number;
  /** Whether this process is the one that sends, checked every few seconds; default: always. */
  isChosen?(): Promise<boolean>;
  log?: { warn(details: object, message: string): void };
}

const tick = 500;
/** Delay in milliseconds before the next try if the server is down or refuses the login. */
const afterFailure = 60_000;
/** Interval in milliseconds at which an idle process checks whether it is its turn. */
const askEvery = 3000;
/** For this many milliseconds another process may use these machines, since it has given them new secrets. */
const lent = 600_000;
/** Number of machines that send concurrently. */
const parallel = 4;

/** Starts the simulator. Returns `stop()`, which awaits messages on their way. */
export function startSimulator({
  baseUrl,
  mqttUrl,
  machines = 2000,
  seed = 7,
  log,
  isChosen,
  ...access
}: SimulatorOptions): () => Promise<void> {
  const [admin] = demoLogins;
  let simulation: Simulation | undefined;
  let working: Promise<void> = Promise.resolve();
  let isIdle = true;
  let restUntil = 0;
  let askAt = 0;
  let anewAt = Number.POSITIVE_INFINITY;

  /** Sends what is due. Returns the milliseconds to rest. */
  async function round(): Promise<number> {
    if (isChosen && Date.now() >= askAt) {
      if (!(await isChosen())) {
        await simulation?.close();
        simulation = undefined;
        return askEvery;
      }
      askAt = Date.now() + askEvery;
    }
    if (Date.now() >= anewAt) {
      await simulation?.close();
      simulation = undefined;
      anewAt = Number.POSITIVE_INFINITY;
    }
    simulation ??= await startSimulation();
    await simulation.sendDue(Date.now());
    if (anewAt === Number.POSITIVE_INFINITY && [...simulation.counts.values()].some(({ refused }) => refused > 0))
      anewAt = Date.now() + lent;
    return 0;
  }

  async function startSimulation(): Promise<Simulation> {
    const fleet = await fleetOf(
      { baseUrl, email: admin?.email ?? '', password: admin?.password ?? '', ...access },
      machines,
    );
    return openSimulation({ fleet, url: baseUrl, mqttUrl, seed, begin: Date.now(), isPresent: true, parallel });
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
    clearInterval(timer);
    await simulation?.close();
    await working;
    await simulation?.close();
  };
}
