/**
 * Does something again and again, with a rest after each time; gives back how to stop, which waits for what runs.
 * `rest`: milliseconds, from those that the last round took (0 before the first).
 */
export function startPeriodicTask(round: () => Promise<void>, rest: (took: number) => number): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  const turn = async () => {
    const began = performance.now();
    await round();
    if (!isStopped) begin(performance.now() - began);
  };
  const begin = (took: number) => {
    timer = setTimeout(() => {
      working = turn();
    }, rest(took)).unref();
  };

  begin(0);
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await working;
  };
}
