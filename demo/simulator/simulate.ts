/** Runs a simulation with the given speed and faults, for a duration or until it is stopped. */
import type { SimulatedMachine } from './advanceMachine';
import { openSimulation, type Simulation, type SimulationOptions } from './simulation';

export interface SimulateOptions extends Pick<SimulationOptions, 'fleet' | 'url' | 'mqttUrl' | 'seed' | 'faults'> {
  fleet: readonly SimulatedMachine[];
  /** Duration in seconds of real time; by default it runs until stopped. */
  seconds?: number | undefined;
  /**
   * Simulated seconds per second. The server distrusts clocks that are ahead, so a faster simulation begins in the
   * past.
   */
  speed?: number | undefined;
  /** End of simulated time; by default the moment at which the simulation ends. */
  until?: Date | undefined;
  /** Ends the simulation. */
  signal?: AbortSignal;
}

/** Milliseconds between two checks for messages that are due. */
const tickInterval = 200;
/** Number of machines that send concurrently. */
const concurrency = 16;

/** Runs to the end. Returns counts of what it sent. */
export async function simulate({
  seconds,
  speed = 1,
  until,
  signal,
  ...options
}: SimulateOptions): Promise<Pick<Simulation, 'counts' | 'undelivered'>> {
  if (seconds === undefined && (speed !== 1 || until)) throw new Error('A speed or an end requires a duration.');
  const startTime = Date.now();
  const length = (seconds ?? 0) * 1000;
  const end = until?.getTime() ?? startTime + length;
  const begin = seconds === undefined ? startTime : end - length * speed;
  const simulation = openSimulation({ ...options, begin, isRealTime: speed === 1 && !until, concurrency });
  for (;;) {
    const elapsed = Date.now() - startTime;
    if (signal?.aborted || (seconds !== undefined && elapsed >= length)) break;
    await simulation.sendDue(begin + elapsed * speed);
    await new Promise((resolve) => setTimeout(resolve, tickInterval));
  }
  if (!signal?.aborted && seconds !== undefined) await simulation.sendDue(begin + length * speed);
  await simulation.sendRemaining();
  await simulation.close();
  return simulation;
}
