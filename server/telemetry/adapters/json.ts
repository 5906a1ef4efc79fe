/** JSON from the outside, by bytes. */
import { shapeFaultOf } from '../../http/jsonShape';
import { InvalidMessage } from '../timeline/observation';

export type Json = Record<string, unknown>;

/** The text of a body, without a mark of its byte order. Throws `Unreadable` when it is no UTF-8. */
export const decodeUtf8 = (body: Uint8Array): string => decodedBy(new TextDecoder('utf-8', { fatal: true }), body);

/** The text of bytes, every one of them. Throws `Unreadable` when they are no UTF-8. */
export const utf8 = (bytes: Uint8Array): string =>
  decodedBy(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }), bytes);

function decodedBy(decoder: TextDecoder, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new InvalidMessage('Not UTF-8.');
  }
}

/** The value of a text, in a box, as it may be anything; without one it is no JSON. */
export function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/**
 * Arrays may be as long as the message.
 * @throws InvalidMessage when an object has too many keys or is nested too deep
 */
export function requireShape(body: Uint8Array): void {
  const fault = shapeFaultOf(body, Number.POSITIVE_INFINITY);
  if (fault) throw new InvalidMessage(`JSON of too much ${fault === 'depth' ? 'depth' : 'width'}.`);
}

/** The value of a body. @throws InvalidMessage */
export function jsonOf(body: Uint8Array): unknown {
  requireShape(body);
  const found = parsed(decodeUtf8(body));
  if (!found) throw new InvalidMessage('Not JSON.');
  return found.value;
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of an object's own key, whatever its prototype holds. */
export const ownOf = (from: Json, name: string): unknown => (Object.hasOwn(from, name) ? from[name] : undefined);
