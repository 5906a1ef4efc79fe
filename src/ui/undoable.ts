/** React-admin's undoable calls with an open toast: applied on the screen, not yet sent. */
import { useEffect } from 'react';
import type { UndoableMutation } from 'react-admin';
import { useLocation } from 'react-router-dom';

interface PendingMutation {
  settle: UndoableMutation;
  /** Closes the toast. */
  close: () => void;
  /** Whether the user has clicked, typed or gone back since: the next change of path is theirs. */
  hasActed: boolean;
}

const pending = new Map<string, PendingMutation>();

/** Holds a call until it is settled under this key. */
export function holdMutation(key: string, settle: UndoableMutation, close: () => void): void {
  pending.set(key, { settle, close, hasActed: false });
}

/** Runs or undoes the call; only the first settlement of a key counts. */
export function settleMutation(key: string, isUndo: boolean): void {
  const mutation = pending.get(key);
  pending.delete(key);
  mutation?.settle({ isUndo });
  mutation?.close();
}

/** Runs all pending calls: before a logout, or when the page closes. */
export function runMutations(): void {
  for (const key of [...pending.keys()]) settleMutation(key, false);
}

/** Runs pending calls when the user goes to another page or leaves the application. */
export function useRunMutationsOnLeave(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const recordAction = () => {
      for (const mutation of pending.values()) mutation.hasActed = true;
    };
    const actions = ['pointerdown', 'keydown', 'popstate'] as const;
    for (const action of actions) window.addEventListener(action, recordAction, true);
    window.addEventListener('pagehide', runMutations);
    return () => {
      for (const action of actions) window.removeEventListener(action, recordAction, true);
      window.removeEventListener('pagehide', runMutations);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is what this waits for
  useEffect(() => {
    for (const [key, { hasActed }] of [...pending]) if (hasActed) settleMutation(key, false);
  }, [pathname]);
}
