import { createStore, useStoreValue } from '../providers/createStore';

/** The stack of open dialogs. Only the topmost one can take the focus, so toasts are drawn inside it. */
const dialogs = createStore<readonly HTMLElement[]>([]);

/** Ref callback of an open dialog: adds it to the stack and returns a function that removes it. */
export function pushDialog(dialog: HTMLElement | null): () => void {
  if (dialog) dialogs.set([...dialogs.get(), dialog]);
  return () => dialogs.set(dialogs.get().filter((other) => other !== dialog));
}

export const topDialog = (): HTMLElement | undefined => dialogs.get().at(-1);

export const useTopDialog = (): HTMLElement | undefined => useStoreValue(dialogs).at(-1);
