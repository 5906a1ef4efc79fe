/** Session storage of the browser tab. Where the browser forbids it, nothing is stored. */
export const tabStorage = {
  /** `null` without a stored text. */
  read(key: string): string | null {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return null;
    }
  },

  /** The stored JSON value; `undefined` without one, or if it is unreadable. */
  readJson(key: string): unknown {
    try {
      return JSON.parse(tabStorage.read(key) ?? '');
    } catch {
      return undefined;
    }
  },

  /** Stores a text; `undefined` removes it. */
  write(key: string, text: string | undefined): void {
    try {
      if (text === undefined) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, text);
    } catch {
      // The value lasts as long as the page.
    }
  },
};
