/**
 * Simulates the devices of the demo. They send a few messages per second with every protocol, so that pages show live
 * data.
 */
import { demoLogins } from '../seed/people';
import { type Access, fetchFleet, machinesPerFrequentReporter } from './fleet';
import { openSimulation, type Simulation } from './simulation';

export interface SimulatorOptions extends Partial<Access> {
  baseUrl: string;
  /** Broker for VDA 5050 and ThingsBoard. Without one, machines use HTTP only. */
  mqttUrl?: string | undefined;
  /** Maximum number of machines to simulate. */
  machines?: number;
  seed?: number;
  /** Whether some machines report every few seconds. Otherwise all are slow, and no robot drives over a floor. */
  hasFrequentReporters?: boolean;
  /** Whether this process is the one that simulates; called every few seconds. By default it always is. */
  isChosen?(): Promise<boolean>;
  log?: { warn(details: object, message: string): void };
}

/** Milliseconds between two rounds. */
const tickInterval = 500;
/** Milliseconds until the next attempt if the server is down or rejects the login. */
const failureDelay = 60_000;
/** Milliseconds between two calls of `isChosen`. */
const checkInterval = 3000;
/** Milliseconds after rejected messages until the fleet is loaded again: another simulator has replaced its secrets. */
const reopenDelay = 600_000;
/**
 * Milliseconds until the fleet is loaded again if it has no robots on floors: floors are seeded after the server
 * starts.
 */
const floorDelay = 45_000;
const maxFloorRetries = 3;
/** Number of machines that send concurrently. */
const concurrency = 4;

/** Starts the simulator. Returns `stop()`, which awaits messages in flight. */
export function startSimulator({
  baseUrl,
  mqttUrl,
  machines = 2000,
  seed = 7,
  hasFrequentReporters = true,
  log,
  isChosen,
  ...access
}: SimulatorOptions): () => Promise<void> {
  const [admin] = demoLogins;
  let simulation: Simulation | undefined;
  let currentRound: Promise<void> = Promise.resolve();
  let isIdle = true;
  let pausedUntil = 0;
  let nextCheckAt = 0;
  let reopenAt = Number.POSITIVE_INFINITY;
  let floorRetries = 0;

  /** Sends the messages that are due. Returns the number of milliseconds to pause. */
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
    const fleet = await fetchFleet(
      { baseUrl, email: admin?.email ?? '', password: admin?.password ?? '', ...access },
      machines,
      hasFrequentReporters ? machinesPerFrequentReporter : undefined,
    );
    if (hasFrequentReporters && floorRetries < maxFloorRetries && !fleet.some(({ walk }) => walk)) {
      floorRetries += 1;
      reopenAt = Date.now() + floorDelay;
    }
    return openSimulation({ fleet, url: baseUrl, mqttUrl, seed, begin: Date.now(), isRealTime: true, concurrency });
  }

  const timer = setInterval(() => {
    if (!isIdle || Date.now() < pausedUntil) return;
    isIdle = false;
    currentRound = round()
      .catch((err: unknown) => {
        log?.warn({ err }, 'the simulator could not report');
        return failureDelay;
      })
      .then((pause) => {
        pausedUntil = Date.now() + pause;
        isIdle = true;
      });
  }, tickInterval);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await simulation?.close();
    await currentRound;
    await simulation?.close();
  };
}
