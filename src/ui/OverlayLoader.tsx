import { useIsFetching } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Milliseconds without a query after which the page counts as loaded. */
const pause = 1000;

let isTried = false;

/** Fetches what floats above the page once the page itself is there, so that the first click need not wait for it. */
export const OverlayLoader = () => {
  const isIdle = useIsFetching() === 0;
  useEffect(() => {
    if (!isIdle || isTried) return;
    const timer = setTimeout(() => {
      isTried = true;
      // Whoever opens one later hears of a failure.
      Promise.all([import('./ModalDialog'), import('./DropdownPanel')]).catch(() => undefined);
    }, pause);
    return () => clearTimeout(timer);
  }, [isIdle]);
  return null;
};
