import type { Page } from 'playwright';

/** Keys of the responses that the application has stored on this device: user id and path of the call. */
export const readStoredKeys = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    // Opening the database before the application does would create an empty one.
    if (!(await indexedDB.databases()).some(({ name }) => name === 'sweepline')) return [];
    return new Promise<string[]>((resolve, reject) => {
      const openRequest = indexedDB.open('sweepline');
      openRequest.onerror = () => reject(openRequest.error);
      openRequest.onsuccess = () => {
        const keysRequest = openRequest.result.transaction('answers').objectStore('answers').getAllKeys();
        keysRequest.onsuccess = () => {
          openRequest.result.close();
          resolve(keysRequest.result as string[]);
        };
      };
    });
  });
