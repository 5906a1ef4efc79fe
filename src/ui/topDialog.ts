/** Which dialog stands on top. Whatever lies outside of it is veiled and answers nothing, so toasts stand inside it. */
import { useSyncExternalStore } from 'react';

let open: readonly HTMLElement[] = [];
const hearers = new Set<() => void>();

function change(next: readonly HTMLElement[]): void {
  open = next;
  for (const hear of hearers) hear();
}

/** Puts a dialog on top until the returned function is called. */
export function standOnTop(dialog: HTMLElement): () => void {
  change([...open, dialog]);
  return () => change(open.filter((other) => other !== dialog));
}

export const topDialog = (): HTMLElement | undefined => open.at(-1);

export const useTopDialog = (): HTMLElement | undefined => useSyncExternalStore(heard, topDialog);

function heard(hear: () => void): () => void {
  hearers.add(hear);
  return () => void hearers.delete(hear);
}
