/** Errors that the page shows in place of what failed to load. A toast would say the same a second time. */

const shown = new WeakSet<Error>();

/** Milliseconds for the page to render an error. */
const renderTime = 150;

/** Marks an error as shown by the page. Returns a function for when it no longer is. */
export function showInPlace(error: Error): () => void {
  shown.add(error);
  return () => void shown.delete(error);
}

/** Whether the page shows the error, once it has had time to render it. */
export const isShownInPlace = (error: unknown): Promise<boolean> =>
  new Promise((resolve) => setTimeout(() => resolve(shown.has(error as Error)), renderTime));
