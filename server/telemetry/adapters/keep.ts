import type { Attributes } from './meaning';
import { storable } from './storable';

/**
 * Plain values are attributes; what is nested stays in the raw message alone. Throws `Unreadable` for text that cannot
 * be kept.
 */
export function addAttribute(attributes: Attributes, name: string, value: unknown): void {
  if (typeof value === 'string') attributes.set(storable(name), storable(value));
  else if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    attributes.set(storable(name), value);
}
