/** Number of open alerts within the user's reach; the event stream sends it at the start and with every change. */
import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let current: number | undefined;

/** `undefined`: no stream is connected. */
export function setOpenAlerts(count: number | undefined): void {
  if (count === current) return;
  current = count;
  for (const tell of listeners) tell();
}

/** `undefined` until the stream has sent it. */
export const useOpenAlerts = (): number | undefined =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
    () => current,
  );

/** Reads the stream's `{"open": 3}`. */
export function readOpenAlerts(data: string): void {
  const { open } = JSON.parse(data) as { open?: unknown };
  if (typeof open === 'number') setOpenAlerts(open);
}
