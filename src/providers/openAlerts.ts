/**
 * How many alerts are open within the reader's reach: the stream of live events says it at first and with every change.
 */
import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let current: number | undefined;

/** `undefined`: nobody says it any more. */
export function setOpenAlerts(count: number | undefined): void {
  if (count === current) return;
  current = count;
  for (const tell of listeners) tell();
}

/** `undefined` until the stream has said it. */
export const useOpenAlerts = (): number | undefined =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
    () => current,
  );

/** Reads what the stream says: `{"open": 3}`. */
export function readOpenAlerts(data: string): void {
  const { open } = JSON.parse(data) as { open?: unknown };
  if (typeof open === 'number') setOpenAlerts(open);
}
