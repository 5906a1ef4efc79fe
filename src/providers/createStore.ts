import { useSyncExternalStore } from 'react';

/** A value outside React, to which components and other modules can subscribe. */
export interface ValueStore<T> {
  get(): T;
  /** Calls the listeners unless the value is unchanged. */
  set(value: T): void;
  /** Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(initial: T): ValueStore<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(value, next)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The value of a store; renders the component again when it changes. */
export const useStoreValue = <T>({ subscribe, get }: ValueStore<T>): T => useSyncExternalStore(subscribe, get);
