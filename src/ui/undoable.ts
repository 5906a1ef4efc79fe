/** Undoable calls of react-admin whose toast still stands: saved on the screen, not yet sent. */
import { useEffect } from 'react';
import type { UndoableMutation } from 'react-admin';
import { useLocation } from 'react-router-dom';

interface PendingMutation {
  settle: UndoableMutation;
  /** Takes the toast away. */
  close: () => void;
  /** The user pressed something since: the next page is where they went, not where saving led them. */
  hasActed: boolean;
}

const pending = new Map<string, PendingMutation>();

/** Keeps a call until it is settled under this key. */
export function holdMutation(key: string, settle: UndoableMutation, close: () => void): void {
  pending.set(key, { settle, close, hasActed: false });
}

/** Runs the call, or undoes it; only the first settlement of a key counts. */
export function settleMutation(key: string, isUndo: boolean): void {
  const mutation = pending.get(key);
  pending.delete(key);
  mutation?.settle({ isUndo });
  mutation?.close();
}

/** Sends everything that still waits: before logging out, or when the page closes. */
export function runMutations(): void {
  for (const key of [...pending.keys()]) settleMutation(key, false);
}

/** Sends what waits when the user goes to another page or leaves the application. */
export function useRunMutationsOnLeave(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const noteAction = () => {
      for (const mutation of pending.values()) mutation.hasActed = true;
    };
    const actions = ['pointerdown', 'keydown', 'popstate'] as const;
    for (const action of actions) window.addEventListener(action, noteAction, true);
    window.addEventListener('pagehide', runMutations);
    return () => {
      for (const action of actions) window.removeEventListener(action, noteAction, true);
      window.removeEventListener('pagehide', runMutations);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is what this waits for
  useEffect(() => {
    for (const [key, { hasActed }] of [...pending]) if (hasActed) settleMutation(key, false);
  }, [pathname]);
}
