import type { Attributes } from './meaningOf';
import { storable } from './storable';

/**
 * Adds a plain value; nested ones remain in the raw message only.
 * @throws InvalidMessage for text that cannot be stored
 */
export function addAttribute(attributes: Attributes, name: string, value: unknown): void {
  if (typeof value === 'string') attributes.set(storable(name), storable(value));
  else if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    attributes.set(storable(name), value);
}
