/** For counts that are made anew whenever something changes, while changes come by the second. */
import { useEffect, useMemo, useRef } from 'react';

export interface Seldom {
  (): void;
  stop(): void;
}

/**
 * Runs at once, then at most once per `pause` milliseconds: what is asked for meanwhile is made up for at its end, so
 * that the last change always counts.
 */
export function createThrottle(run: () => void, pause: number): Seldom {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOwed = false;
  const go = () => {
    isOwed = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isOwed) go();
    }, pause);
    run();
  };
  const ask = () => {
    if (timer === undefined) go();
    else isOwed = true;
  };
  return Object.assign(ask, { stop: () => clearTimeout(timer) });
}

/** The same for as long as a component stands. */
export function useThrottle(run: () => void, pause: number): () => void {
  const latest = useRef(run);
  latest.current = run;
  const asked = useMemo(() => createThrottle(() => latest.current(), pause), [pause]);
  useEffect(() => asked.stop, [asked]);
  return asked;
}
