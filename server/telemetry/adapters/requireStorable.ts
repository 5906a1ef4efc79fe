import { isStorable } from '../../../schema/dsl/isStorable';
import { InvalidMessage } from '../timeline/observation';

export { isStorable };

/**
 * Text that the database can store.
 * @throws InvalidMessage for NUL and lone surrogates
 */
export function requireStorable(text: string): string {
  if (!isStorable(text)) throw new InvalidMessage('Text that cannot be stored.');
  return text;
}

/** Prefix of a text; never splits a surrogate pair. */
export const truncate = (text: string, limit: number): string => text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
