/** A simulation with an end, at the given speed and with the given faults. */
import type { SimulatedMachine } from './advanceMachine';
import { openSimulation, type Simulation, type SimulationOptions } from './simulation';

export interface SimulateOptions extends Pick<SimulationOptions, 'fleet' | 'url' | 'mqttUrl' | 'seed' | 'faults'> {
  fleet: readonly SimulatedMachine[];
  /** Seconds on the wall clock; without them it runs until stopped. */
  seconds?: number | undefined;
  /**
   * Simulated seconds per second. The server distrusts clocks that are ahead, so a faster simulation starts in the
   * past.
   */
  speed?: number | undefined;
  /** End of simulated time; default: the present moment at that time. */
  until?: Date | undefined;
  /** Ends it. */
  signal?: AbortSignal;
}

const tick = 200;
const parallel = 16;

/** Runs to the end and returns the counts of what it sent. */
export async function simulate({
  seconds,
  speed = 1,
  until,
  signal,
  ...options
}: SimulateOptions): Promise<Pick<Simulation, 'counts' | 'undelivered'>> {
  if (seconds === undefined && (speed !== 1 || until))
    throw new Error('Only a simulation that ends can be quicker than time, or of another.');
  const started = Date.now();
  const length = (seconds ?? 0) * 1000;
  const end = until?.getTime() ?? started + length;
  const begin = seconds === undefined ? started : end - length * speed;
  const simulation = openSimulation({ ...options, begin, isRealTime: speed === 1 && !until, parallel });
  for (;;) {
    const passed = Date.now() - started;
    if (signal?.aborted || (seconds !== undefined && passed >= length)) break;
    await simulation.sendDue(begin + passed * speed);
    await new Promise((resolve) => setTimeout(resolve, tick));
  }
  if (!signal?.aborted && seconds !== undefined) await simulation.sendDue(begin + length * speed);
  await simulation.sendRemaining();
  await simulation.close();
  return simulation;
}
