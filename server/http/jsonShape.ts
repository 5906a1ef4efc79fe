/**
 * The shape of a JSON text: how deep, and how many keys and entries. Read from the bytes, so that nothing is built of
 * what is refused.
 */
import { requestLimits } from '../../schema/dsl/requestLimits';
import { ApiError } from '../context/errors';

/** Nesting of a JSON body (contract, "Rules every call keeps"). */
const deepest = 32;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** What is beyond its limit. */
export type ShapeFault = 'depth' | 'keys' | 'entries';

/**
 * Judges the shape alone: whether the text is JSON at all is left to the parser. `mostEntries` is the limit of one
 * array.
 */
export function shapeFaultOf(bytes: Uint8Array, mostEntries: number = requestLimits.entries): ShapeFault | undefined {
  // Of every level that is open: whether it is an array, and its commas or colons so far.
  const isArray = new Uint8Array(deepest + 1);
  const counts = new Uint32Array(deepest + 1);
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === openObject || byte === openArray) {
      depth += 1;
      if (depth > deepest) return 'depth';
      isArray[depth] = byte === openArray ? 1 : 0;
      counts[depth] = byte === openArray ? 1 : 0;
    } else if (byte === closeObject || byte === closeArray) depth = Math.max(0, depth - 1);
    else if (byte === (isArray[depth] ? comma : colon)) {
      const count = (counts[depth] ?? 0) + 1;
      counts[depth] = count;
      if (count > (isArray[depth] ? mostEntries : requestLimits.keys)) return isArray[depth] ? 'entries' : 'keys';
    }
  }
  return undefined;
}

/** @throws 400 that names the limit, or "malformed" where it is too deep */
export function requireJsonShape(bytes: Uint8Array): void {
  const fault = shapeFaultOf(bytes);
  if (fault === 'depth') throw ApiError.malformed();
  if (fault) throw ApiError.beyond(`limit_${fault}`, requestLimits[fault]);
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
