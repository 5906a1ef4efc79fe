/** Which overlay is open: the search, or the sheet of shortcuts. */
import { useSyncExternalStore } from 'react';
import { session } from '../providers/session';

export type Opened = 'search' | 'keys' | undefined;

let opened: Opened;
const listeners = new Set<() => void>();

export function open(what: Opened): void {
  opened = what;
  for (const notify of listeners) notify();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useOpened = (): Opened => useSyncExternalStore(subscribe, () => opened);

// The overlay belongs to the logged-in user.
let { t: whose } = session.get();
session.subscribe(() => {
  const { t } = session.get();
  if (t !== whose) open(undefined);
  whose = t;
});
