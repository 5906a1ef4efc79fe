/**
 * Batches concurrent calls: while one batch is in flight, later calls gather for the next. `execute` must return one
 * result per input, in the same order.
 */
export function createBatcher<I, R>(
  execute: (inputs: readonly I[]) => Promise<readonly R[]>,
): (input: I) => Promise<R> {
  let waitingCalls: { input: I; resolve(value: R): void; reject(error: unknown): void }[] = [];
  let isRunning = false;

  async function runBatch(): Promise<void> {
    isRunning = true;
    while (waitingCalls.length > 0) {
      const batch = waitingCalls;
      waitingCalls = [];
      try {
        const results = await execute(batch.map(({ input }) => input));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waitingCalls.push({ input, resolve, reject });
      if (!isRunning) void runBatch();
    });
}
