import { useEffect, useRef } from 'react';

/**
 * Where the button that led to a step is gone with the one before it, page and keyboard begin at the top of the new
 * one.
 */
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
