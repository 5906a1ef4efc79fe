/** The stack of open dialogs. Only the topmost can take the focus, so toasts are drawn inside it. */
import { useSyncExternalStore } from 'react';

let open: readonly HTMLElement[] = [];
const listeners = new Set<() => void>();

function change(next: readonly HTMLElement[]): void {
  open = next;
  for (const notify of listeners) notify();
}

/** Ref of an open dialog. */
export function pushDialog(dialog: HTMLElement | null): () => void {
  if (dialog) change([...open, dialog]);
  return () => change(open.filter((other) => other !== dialog));
}

export const topDialog = (): HTMLElement | undefined => open.at(-1);

export const useTopDialog = (): HTMLElement | undefined => useSyncExternalStore(subscribe, topDialog);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
