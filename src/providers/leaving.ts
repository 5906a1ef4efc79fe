/**
 * Whether the browser is leaving the page. Firefox then fails the requests in flight while scripts still run; such
 * failures say nothing about the server.
 */

/** Milliseconds after which the page counts as staying: the user has cancelled, or the URL was a download. */
const leavingTime = 5000;

let leftAt = Number.NEGATIVE_INFINITY;
globalThis.addEventListener?.('beforeunload', () => {
  leftAt = performance.now();
});

const remainingTime = (): number => leftAt + leavingTime - performance.now();

export const isLeaving = (): boolean => remainingTime() > 0;

/** Resolves if the page stays: at once, unless the browser is leaving it. */
export const whenStaying = (): Promise<void> =>
  isLeaving() ? new Promise((resolve) => setTimeout(resolve, remainingTime())) : Promise.resolve();
