import { InvalidMessage } from '../timeline/observation';

/**
 * Text that the database can store.
 * @throws InvalidMessage for NUL and lone surrogates
 */
export function storable(text: string): string {
  if (text.includes('\0') || /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text))
    throw new InvalidMessage('Text that cannot be kept.');
  return text;
}

/** Prefix of a text; never splits a surrogate pair. */
export const truncate = (text: string, limit: number): string => text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
