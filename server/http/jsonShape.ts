/**
 * The shape of a JSON text: how deep, and how many keys and entries. Read from the bytes, so that nothing is built of
 * what is refused.
 */
import { requestLimits } from '../../schema/dsl/requestLimits';
import { ApiError } from '../context/errors';

/** Nesting of a JSON body (contract, "Rules every call keeps"). */
export const deepest = 32;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Judges the shape alone: whether the text is JSON at all is left to the parser. @throws 400 that names the limit, or
 * "malformed" where it is too deep
 */
export function requireJsonShape(bytes: Uint8Array): void {
  // Of every level that is open: whether it is an array, and its commas or colons so far.
  const isArray = new Uint8Array(deepest + 1);
  const counts = new Uint32Array(deepest + 1);
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === openObject || byte === openArray) {
      depth += 1;
      if (depth > deepest) throw ApiError.malformed();
      isArray[depth] = byte === openArray ? 1 : 0;
      counts[depth] = byte === openArray ? 1 : 0;
    } else if (byte === closeObject || byte === closeArray) depth = Math.max(0, depth - 1);
    else if (byte === (isArray[depth] ? comma : colon)) {
      const count = (counts[depth] ?? 0) + 1;
      counts[depth] = count;
      if (count > (isArray[depth] ? requestLimits.entries : requestLimits.keys))
        throw isArray[depth]
          ? ApiError.beyond('limit_entries', requestLimits.entries)
          : ApiError.beyond('limit_keys', requestLimits.keys);
    }
  }
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/** Whether a parsed value is nested deeper than so many levels. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value)) if (isDeeper(item, levels - 1)) return true;
  return false;
}
