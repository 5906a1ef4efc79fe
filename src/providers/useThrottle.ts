/** Throttle for reloads triggered by frequent changes. */
import { useEffect, useMemo, useRef } from 'react';

export interface Throttled {
  (): void;
  /** Drops a pending run. */
  stop(): void;
}

/**
 * Runs at once, then at most once per `pause` milliseconds. A call during the pause runs when it ends, so that the last
 * change is never missed.
 */
export function createThrottle(run: () => void, pause: number): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPending = false;
  const runNow = () => {
    isPending = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isPending) runNow();
    }, pause);
    run();
  };
  const schedule = () => {
    if (timer === undefined) runNow();
    else isPending = true;
  };
  return Object.assign(schedule, { stop: () => clearTimeout(timer) });
}

/** As `createThrottle`, with the lifetime of a component. */
export function useThrottle(run: () => void, pause: number): () => void {
  const latestRun = useRef(run);
  latestRun.current = run;
  const throttle = useMemo(() => createThrottle(() => latestRun.current(), pause), [pause]);
  useEffect(() => throttle.stop, [throttle]);
  return throttle;
}
