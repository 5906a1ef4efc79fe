/** Bodies into values, the same whatever the content type: own keys only, valid UTF-8, not too deep. Nothing is judged here. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from './errors';

/** Bytes of a body that is no file (contract, "Rules every call keeps"). */
export const bodyLimit = 1024 * 1024;
/** Nesting of a JSON body and bytes of a query string, from the same place. */
export const deepest = 32;
const longestQuery = 8 * 1024;

export function addParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/(json|[\w.-]+\+json)\b/i, { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => readJson(body));
  app.addContentTypeParser(/^application\/x-www-form-urlencoded\b/i, { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => readForm(body));
}

/** Refuses query strings that are longer than any honest filter. */
export function limitQuery({ url }: FastifyRequest, _reply: FastifyReply, done: (refused?: Refusal) => void): void {
  const start = url.indexOf('?');
  done(start >= 0 && url.length - start - 1 > longestQuery ? Refusal.malformed() : undefined);
}

/** `undefined` for an empty body. `__proto__` comes as a key like any other: JSON.parse makes it an own one, so that it is refused by name as unknown. */
function readJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(decoder.decode(body));
    if (!isDeeper(value, deepest)) return value;
  } catch {
    // Told below in the words of the contract.
  }
  throw Refusal.malformed();
}

/** Names to texts; a name given more than once has all of them. */
function readForm(body: Buffer): Record<string, string | string[]> {
  if (body.length > 0 && !isText(body)) throw Refusal.malformed();
  const values = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(body.toString())) {
    const earlier = values.get(name);
    values.set(name, earlier === undefined ? value : [...[earlier].flat(), value]);
  }
  return Object.fromEntries(values);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function isText(body: Buffer): boolean {
  try {
    decoder.decode(body);
    return true;
  } catch {
    return false;
  }
}

/** Whether a value is nested deeper than so many levels. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value)) if (isDeeper(item, levels - 1)) return true;
  return false;
}
