import { useEffect, useRef } from 'react';

/** Scrolls and focuses the top of a new step, since the button that led to it is gone. */
export function useStepStart(step: string | undefined): void {
  const shown = useRef(step);
  useEffect(() => {
    const before = shown.current;
    shown.current = step;
    if (before === undefined || before === step || document.activeElement !== document.body) return;
    window.scrollTo(0, 0);
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [step]);
}
