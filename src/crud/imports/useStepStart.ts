import { useEffect, useRef } from 'react';

/** Scrolls to the top of a new step and moves the focus there, since the clicked button no longer exists. */
export function useStepStart(step: string | undefined): void {
  const lastStep = useRef(step);
  useEffect(() => {
    const previous = lastStep.current;
    lastStep.current = step;
    if (previous === undefined || previous === step || document.activeElement !== document.body) return;
    window.scrollTo(0, 0);
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [step]);
}
