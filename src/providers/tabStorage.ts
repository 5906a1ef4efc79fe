/** Session storage of the browser tab. Stores nothing if the browser forbids it. */
export const tabStorage = {
  /** `null` if nothing is stored. */
  read(key: string): string | null {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return null;
    }
  },

  /** The stored JSON value; `undefined` if there is none or it is unreadable. */
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
      // Without storage the value is lost when the page closes.
    }
  },
};
