import { useEffect } from 'react';

/**
 * Keeps the screen on while the component is mounted, if the browser supports it. Hiding the page releases the lock, so
 * showing it requests the lock again.
 */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: Promise<WakeLockSentinel | undefined> | undefined;
    const requestLock = () => {
      if (document.visibilityState === 'visible') lock = navigator.wakeLock?.request('screen').catch(() => undefined);
    };
    requestLock();
    document.addEventListener('visibilitychange', requestLock);
    return () => {
      document.removeEventListener('visibilitychange', requestLock);
      void lock?.then((sentinel) => sentinel?.release());
    };
  }, []);
}
