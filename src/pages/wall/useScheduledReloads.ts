/**
 * Reloads a wall every night, and within an hour after a new version of the application is deployed. Otherwise it would
 * leak memory over weeks, or run scripts that the server no longer has.
 */
import { useEffect } from 'react';
import { isServerReachable, onReachability, whenReachable } from '../../providers/reachability';

const hour = 3_600_000;
/** Local hour of the nightly reload. Each wall reloads at a random time within it. */
const nightHour = 3;

/** Milliseconds until the next nightly reload. `spread`: position within the hour, from 0 to 1. */
export function millisecondsUntilReload(now: Date, spread: number): number {
  const next = new Date(now);
  next.setHours(nightHour, 0, 0, 0);
  // Prevents a second reload in the same night.
  if (next.getTime() - now.getTime() < hour) next.setDate(next.getDate() + 1);
  return next.getTime() - now.getTime() + spread * hour;
}

export function useScheduledReloads(): void {
  useEffect(() => {
    // Without the server the browser would show its own error page, which never reloads.
    const reload = () => void whenReachable().then(() => window.location.reload());
    const nightly = setTimeout(reload, millisecondsUntilReload(new Date(), Math.random()));
    const check = () => void hasNewVersion().then((isNew) => isNew && reload());
    const hourly = setInterval(check, hour);
    const stop = onReachability(() => isServerReachable() && check());
    return () => {
      clearTimeout(nightly);
      clearInterval(hourly);
      stop();
    };
  }, []);
}

/** Whether the server's page loads a different script than this page did. */
async function hasNewVersion(): Promise<boolean> {
  const ownScript = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  const page = await fetch('/', { cache: 'no-store', headers: { Accept: 'text/html' } })
    .then((response) => (response.ok ? response.text() : ''))
    .catch(() => '');
  return ownScript !== null && ownScript !== undefined && page.includes('<script') && !page.includes(`"${ownScript}"`);
}
