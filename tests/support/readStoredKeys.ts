import type { Page } from 'playwright';

/** Keys of the responses that the application has stored on this device: user id and path of the call. */
export const readStoredKeys = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    // Opening the database before the application does would create an empty one.
    if (!(await indexedDB.databases()).some(({ name }) => name === 'sweepline')) return [];
    return new Promise<string[]>((resolve, reject) => {
      const opening = indexedDB.open('sweepline');
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const keys = opening.result.transaction('answers').objectStore('answers').getAllKeys();
        keys.onsuccess = () => {
          opening.result.close();
          resolve(keys.result as string[]);
        };
      };
    });
  });
