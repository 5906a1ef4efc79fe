import type { ApiText } from '../../context/errors';

/** Refuses a file with a sentence that is said in the reader's language. */
export class Unreadable extends Error {
  constructor(
    readonly text: ApiText,
    readonly values: Record<string, string | number> = {},
  ) {
    super(text);
    this.name = 'Unreadable';
  }
}
