/** Pending undoable calls of react-admin: applied on the screen, held by an open toast, not yet sent. */
import { useEffect } from 'react';
import type { UndoableMutation } from 'react-admin';
import { useLocation } from 'react-router-dom';

interface PendingMutation {
  settle: UndoableMutation;
  /** Closes the toast. */
  close: () => void;
  /** Whether the user has clicked, typed or gone back since then, so that the next change of path is the user's own. */
  hasActed: boolean;
}

const pendingMutations = new Map<string, PendingMutation>();

/** Holds a call until it is settled under this key. */
export function holdMutation(key: string, settle: UndoableMutation, close: () => void): void {
  pendingMutations.set(key, { settle, close, hasActed: false });
}

/** Runs or undoes a held call; later settlements of the same key are ignored. */
export function settleMutation(key: string, isUndo: boolean): void {
  const mutation = pendingMutations.get(key);
  pendingMutations.delete(key);
  mutation?.settle({ isUndo });
  mutation?.close();
}

/** Runs all held calls, as before a logout or when the page closes. */
export function runMutations(): void {
  for (const key of [...pendingMutations.keys()]) settleMutation(key, false);
}

/** Runs held calls when the user opens another page or leaves the application. */
export function useRunMutationsOnLeave(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const recordAction = () => {
      for (const mutation of pendingMutations.values()) mutation.hasActed = true;
    };
    const actions = ['pointerdown', 'keydown', 'popstate'] as const;
    for (const action of actions) window.addEventListener(action, recordAction, true);
    window.addEventListener('pagehide', runMutations);
    return () => {
      for (const action of actions) window.removeEventListener(action, recordAction, true);
      window.removeEventListener('pagehide', runMutations);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run whenever the path changes
  useEffect(() => {
    for (const [key, { hasActed }] of [...pendingMutations]) if (hasActed) settleMutation(key, false);
  }, [pathname]);
}
