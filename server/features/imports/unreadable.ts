import type { ApiText } from '../../context/errors';

/** Rejects a file with a text in the reader's language. */
export class Unreadable extends Error {
  constructor(
    readonly text: ApiText,
    readonly values: Record<string, string | number> = {},
  ) {
    super(text);
    this.name = 'Unreadable';
  }
}
