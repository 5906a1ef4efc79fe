/** Detects use of the pool inside a transaction. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface TransactionGuard {
  /** Throws inside the work of an open transaction. */
  requireOutside(): void;
  /** Runs the work of a transaction. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Inside a transaction only its own queries may be used: a statement of the pool would deadlock if the pool has one
 * connection, and run outside of the transaction if it has several.
 */
export function createTransactionGuard(): TransactionGuard {
  const transactions = new AsyncLocalStorage<{ isOpen: boolean }>();
  return {
    requireOutside() {
      if (transactions.getStore()?.isOpen) throw new Error('Inside a transaction only its own queries may be used.');
    },
    async run(work) {
      const state = { isOpen: true };
      try {
        return await transactions.run(state, work);
      } finally {
        state.isOpen = false;
      }
    },
  };
}

/** Detects nothing and costs nothing; the other guard makes Node track every promise of the process. */
export const noTransactionGuard: TransactionGuard = { requireOutside: () => {}, run: (work) => work() };
