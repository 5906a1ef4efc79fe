import { useEffect } from 'react';

/**
 * Keeps the screen on if the browser supports it. Hiding the page releases the lock, so showing it requests the lock
 * again.
 */
export function useWakeLock(): void {
  useEffect(() => {
    const keepOn = () => {
      if (document.visibilityState === 'visible') void navigator.wakeLock?.request('screen').catch(() => undefined);
    };
    keepOn();
    document.addEventListener('visibilitychange', keepOn);
    return () => document.removeEventListener('visibilitychange', keepOn);
  }, []);
}
