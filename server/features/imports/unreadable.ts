import type { ApiText } from '../../context/errors';

/** The file is rejected; `text` gives the reason in the reader's language. */
export class Unreadable extends Error {
  constructor(
    readonly text: ApiText,
    readonly values: Record<string, string | number> = {},
  ) {
    super(text);
    this.name = 'Unreadable';
  }
}
