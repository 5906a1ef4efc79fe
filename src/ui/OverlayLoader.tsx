import { useIsFetching } from '@tanstack/react-query';
import { useEffect } from 'react';

/** The page counts as loaded after this many milliseconds without a query. */
const idleDelay = 1000;

let hasStarted = false;

/** Preloads overlays once the page is idle, so that the first click need not wait for them. */
export const OverlayLoader = () => {
  const isIdle = useIsFetching() === 0;
  useEffect(() => {
    if (!isIdle || hasStarted) return;
    const timer = setTimeout(() => {
      hasStarted = true;
      // Ignored here: opening an overlay later reports the failure.
      Promise.all([import('./ModalDialog'), import('./DropdownPanel')]).catch(() => undefined);
    }, idleDelay);
    return () => clearTimeout(timer);
  }, [isIdle]);
  return null;
};
