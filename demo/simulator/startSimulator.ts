/**
 * Simulated devices of the demo: send a few messages a second in every protocol, so that the first page is live.
 */
import { demoLogins } from '../seed/people';
import { type Access, fleetOf, livelyOf } from './fleet';
import { openSimulation, type Simulation } from './simulation';

export interface SimulatorOptions extends Partial<Access> {
  baseUrl: string;
  /** The broker for VDA 5050 and ThingsBoard; without one the machines use HTTP alone. */
  mqttUrl?: string | undefined;
  /** Maximum number of machines. */
  machines?: number;
  seed?: number;
  /** Whether some machines report every few seconds. Otherwise all are slow, and none walks over a floor. */
  isLively?: boolean;
  /** Whether this process is the one that sends, checked every few seconds; default: always. */
  isChosen?(): Promise<boolean>;
  log?: { warn(details: object, message: string): void };
}

const tick = 500;
/** Delay in milliseconds before the next try if the server is down or refuses the login. */
const afterFailure = 60_000;
/** Interval in milliseconds between calls of `isChosen`. */
const checkInterval = 3000;
/** Milliseconds until a retry after refused messages: another simulator has replaced the secrets of these machines. */
const reopenDelay = 600_000;
/** Milliseconds until a retry after a start without robots on floors, which are loaded after the first response. */
const floorDelay = 45_000;
const maxFloorRetries = 3;
/** Number of machines that send concurrently. */
const parallel = 4;

/** Starts the simulator. Returns `stop()`, which awaits messages on their way. */
export function startSimulator({
  baseUrl,
  mqttUrl,
  machines = 2000,
  seed = 7,
  isLively = true,
  log,
  isChosen,
  ...access
}: SimulatorOptions): () => Promise<void> {
  const [admin] = demoLogins;
  let simulation: Simulation | undefined;
  let working: Promise<void> = Promise.resolve();
  let isIdle = true;
  let pausedUntil = 0;
  let nextCheckAt = 0;
  let reopenAt = Number.POSITIVE_INFINITY;
  let floorRetries = 0;

  /** Sends due messages. Returns milliseconds to pause. */
  async function round(): Promise<number> {
    if (isChosen && Date.now() >= nextCheckAt) {
      if (!(await isChosen())) {
        await simulation?.close();
        simulation = undefined;
        return checkInterval;
      }
      nextCheckAt = Date.now() + checkInterval;
    }
    if (Date.now() >= reopenAt) {
      await simulation?.close();
      simulation = undefined;
      reopenAt = Number.POSITIVE_INFINITY;
    }
    simulation ??= await startSimulation();
    await simulation.sendDue(Date.now());
    if (reopenAt === Number.POSITIVE_INFINITY && [...simulation.counts.values()].some(({ refused }) => refused > 0))
      reopenAt = Date.now() + reopenDelay;
    return 0;
  }

  async function startSimulation(): Promise<Simulation> {
    const fleet = await fleetOf(
      { baseUrl, email: admin?.email ?? '', password: admin?.password ?? '', ...access },
      machines,
      isLively ? livelyOf : undefined,
    );
    if (isLively && floorRetries < maxFloorRetries && !fleet.some(({ walk }) => walk)) {
      floorRetries += 1;
      reopenAt = Date.now() + floorDelay;
    }
    return openSimulation({ fleet, url: baseUrl, mqttUrl, seed, begin: Date.now(), isRealTime: true, parallel });
  }

  const timer = setInterval(() => {
    if (!isIdle || Date.now() < pausedUntil) return;
    isIdle = false;
    working = round()
      .catch((err: unknown) => {
        log?.warn({ err }, 'the simulator could not report');
        return afterFailure;
      })
      .then((pause) => {
        pausedUntil = Date.now() + pause;
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
