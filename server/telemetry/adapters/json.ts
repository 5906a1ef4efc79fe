/** Parses untrusted JSON bytes. */
import { shapeFaultOf } from '../../http/jsonShape';
import { InvalidMessage } from '../timeline/observation';

export { isObject } from '../../../schema/dsl/isObject';

/** A parsed JSON object. */
export type Json = Record<string, unknown>;

/**
 * Decodes UTF-8. Drops a byte order mark.
 * @throws InvalidMessage
 */
export const decodeUtf8 = (body: Uint8Array): string => decodeWith(new TextDecoder('utf-8', { fatal: true }), body);

/**
 * Decodes UTF-8. A byte order mark stays part of the text.
 * @throws InvalidMessage
 */
export const decodeUtf8WithMark = (bytes: Uint8Array): string =>
  decodeWith(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }), bytes);

function decodeWith(decoder: TextDecoder, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new InvalidMessage('Not UTF-8.');
  }
}

/** Parses JSON text. The value is boxed, since it may be anything; `undefined` means that the text is not JSON. */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/**
 * Limits the keys per object and the nesting of JSON; arrays may have any length.
 * @throws InvalidMessage
 */
export function requireShape(body: Uint8Array): void {
  const fault = shapeFaultOf(body, Number.POSITIVE_INFINITY);
  if (fault)
    throw new InvalidMessage(fault === 'depth' ? 'JSON is nested too deeply.' : 'A JSON object has too many keys.');
}

/**
 * Parses a JSON body.
 * @throws InvalidMessage
 */
export function parseJsonBody(body: Uint8Array): unknown {
  requireShape(body);
  const result = parseJson(decodeUtf8(body));
  if (!result) throw new InvalidMessage('Not JSON.');
  return result.value;
}

/** The value if it is a text, else `''`. `String(value)` would throw for an object whose `toString` is not callable. */
export const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Own property, ignoring the prototype. */
export const ownProperty = (from: Json, name: string): unknown => (Object.hasOwn(from, name) ? from[name] : undefined);
