/** A promise that a test resolves itself, to control the order of concurrent steps. */
export interface Deferred {
  promise: Promise<void>;
  resolve(): void;
}

export function createDeferred(): Deferred {
  let resolve = () => {};
  const promise = new Promise<void>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { promise, resolve };
}
