/** Tracks errors that the page shows in place of the failed content, so that no toast repeats them. */

const shown = new WeakSet<Error>();

/** Milliseconds that a page gets to render an error. */
const renderTime = 150;

/** Marks an error as shown by the page. Returns a function that removes the mark. */
export function showInPlace(error: Error): () => void {
  shown.add(error);
  return () => void shown.delete(error);
}

/** Resolves to whether the page shows the error, after the time to render it. */
export const isShownInPlace = (error: unknown): Promise<boolean> =>
  new Promise((resolve) => setTimeout(() => resolve(shown.has(error as Error)), renderTime));
