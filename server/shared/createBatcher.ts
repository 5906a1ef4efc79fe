/**
 * Batches concurrent calls: one batch is in flight, later calls join the next. `execute` must return one result per
 * question, in order.
 */
export function createBatcher<Q, A>(
  execute: (questions: readonly Q[]) => Promise<readonly A[]>,
): (question: Q) => Promise<A> {
  let waiting: { question: Q; resolve(value: A): void; reject(error: unknown): void }[] = [];
  let isRunning = false;

  async function runBatch(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const results = await execute(batch.map(({ question }) => question));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as A);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (!isRunning) void runBatch();
    });
}
