/**
 * Limits the shape of JSON: depth, keys, entries. Scans the bytes before parsing, so that rejected input never becomes
 * objects.
 */
import { requestLimits } from '../../schema/dsl/requestLimits';
import { ApiError } from '../context/errors';

/** Maximum nesting of a JSON body. */
const maxDepth = 32;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** A limit that JSON exceeds. */
export type ShapeFault = 'depth' | 'keys' | 'entries';

/** Returns the first limit that the bytes exceed, if any. `maxEntries` limits each array. Does not check the syntax. */
export function shapeFaultOf(bytes: Uint8Array, maxEntries: number = requestLimits.entries): ShapeFault | undefined {
  // Per open level: whether it is an array, and its number of entries or keys so far.
  const isArray = new Uint8Array(maxDepth + 1);
  const counts = new Uint32Array(maxDepth + 1);
  let depth = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quote) index = endOfString(bytes, index);
    else if (byte === openObject || byte === openArray) {
      depth += 1;
      if (depth > maxDepth) return 'depth';
      isArray[depth] = byte === openArray ? 1 : 0;
      counts[depth] = byte === openArray ? 1 : 0;
    } else if (byte === closeObject || byte === closeArray) depth = Math.max(0, depth - 1);
    else if (byte === (isArray[depth] ? comma : colon)) {
      const count = (counts[depth] ?? 0) + 1;
      counts[depth] = count;
      if (count > (isArray[depth] ? maxEntries : requestLimits.keys)) return isArray[depth] ? 'entries' : 'keys';
    }
  }
  return undefined;
}

/**
 * Requires a body to be within the limits.
 * @throws 400 that names the limit; "malformed" if nested too deeply
 */
export function requireJsonShape(bytes: Uint8Array): void {
  const fault = shapeFaultOf(bytes);
  if (fault === 'depth') throw ApiError.malformed();
  if (fault) throw ApiError.limitExceeded(`limit_${fault}`, requestLimits[fault]);
}

function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index;
}
