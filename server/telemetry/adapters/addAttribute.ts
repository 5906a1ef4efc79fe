import type { Attributes } from './interpretAttributes';
import { requireStorable } from './requireStorable';

/**
 * Adds a plain value; nested ones remain in the raw message only.
 * @throws InvalidMessage for text that cannot be stored
 */
export function addAttribute(attributes: Attributes, name: string, value: unknown): void {
  if (typeof value === 'string') attributes.set(requireStorable(name), requireStorable(value));
  else if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    attributes.set(requireStorable(name), value);
}
