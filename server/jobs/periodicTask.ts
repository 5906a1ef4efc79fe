/** Work that is repeated for as long as the process runs, as opposed to a job, which is done once. */
import type { Services } from '../context/services';
import { taskSeconds } from './jobMetrics';

export interface PeriodicTask {
  /** Name in the log and the metrics. */
  name: string;
  /** Milliseconds between two runs, or a function of the milliseconds that the last run took (0 before the first). */
  interval: number | ((duration: number) => number);
  /** Milliseconds until the first run; `interval` by default. */
  firstDelay?: number;
  run(): Promise<unknown>;
}

/** Runs a task again and again, never twice at a time. A failure is logged. Returns `stop()`, which awaits the run. */
export function startPeriodicTask(
  { log }: Pick<Services, 'log'>,
  { name, interval, firstDelay, run }: PeriodicTask,
): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let currentRun: Promise<void> = Promise.resolve();
  const delayAfter = (duration: number) => (typeof interval === 'number' ? interval : interval(duration));
  const schedule = (wait: number) => {
    timer = setTimeout(() => {
      currentRun = runOnce();
    }, wait).unref();
  };
  const runOnce = async () => {
    const startedAt = performance.now();
    const hasFailed = await run().then(
      () => false,
      (err: unknown) => {
        log.warn({ err, task: name }, 'a periodic task failed');
        return true;
      },
    );
    const duration = performance.now() - startedAt;
    taskSeconds.observe({ task: name, failed: String(hasFailed) }, duration / 1000);
    if (!isStopped) schedule(delayAfter(duration));
  };

  schedule(firstDelay ?? delayAfter(0));
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await currentRun;
  };
}
