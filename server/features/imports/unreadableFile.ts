import type { ApiText } from '../../context/errors';

/** Thrown for a file that cannot be imported. `text` is the key of the message with the reason. */
export class UnreadableFile extends Error {
  constructor(
    readonly text: ApiText,
    readonly values: Record<string, string | number> = {},
  ) {
    super(text);
    this.name = 'UnreadableFile';
  }
}
