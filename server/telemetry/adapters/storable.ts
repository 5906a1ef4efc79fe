import { InvalidMessage } from '../timeline/observation';

/** Text that a database can keep; NUL and lone surrogates are refused. */
export function storable(text: string): string {
  if (text.includes('\0') || /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text))
    throw new InvalidMessage('Text that cannot be kept.');
  return text;
}

/** The first characters of a text that can be kept; no character is cut in two. */
export const shortened = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
