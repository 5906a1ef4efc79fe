/** The interface texts: every language has exactly the keys of `en.ts`. */
import type { en } from './en';

/** The same keys with any texts. */
export type Wide<T> = { [K in keyof T]: T[K] extends string ? string : Wide<T[K]> };

export type UiTexts = Wide<typeof en>;
