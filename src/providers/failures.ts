/** Remembers failed calls with their messages until the same call succeeds and the toast of the error can close. */

const failures = new Map<string, string>();
const listeners = new Set<(message: string) => void>();

/** Number of calls to remember. Toasts of older calls stay until the user closes them. */
const maxFailures = 50;

export function recordFailure(call: string, message: string): void {
  failures.delete(call);
  failures.set(call, message);
  const [oldest] = failures.keys();
  if (failures.size > maxFailures && oldest !== undefined) failures.delete(oldest);
}

export function recordSuccess(call: string): void {
  const message = failures.get(call);
  if (message === undefined) return;
  failures.delete(call);
  if (![...failures.values()].includes(message)) for (const listener of listeners) listener(message);
}

/** Calls `listener` with each message that no longer applies to any call. Returns the unsubscribe function. */
export function onRecovered(listener: (message: string) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
