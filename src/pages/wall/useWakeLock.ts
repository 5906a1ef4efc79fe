import { useEffect } from 'react';

/**
 * Keeps the screen on if the browser supports it. Hiding the page releases the lock, so showing it requests the lock
 * again.
 */
export function useWakeLock(): void {
  useEffect(() => {
    const requestLock = () => {
      if (document.visibilityState === 'visible') void navigator.wakeLock?.request('screen').catch(() => undefined);
    };
    requestLock();
    document.addEventListener('visibilitychange', requestLock);
    return () => document.removeEventListener('visibilitychange', requestLock);
  }, []);
}
