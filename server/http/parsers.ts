/**
 * Parses bodies of all content types in the same way: own keys only, valid UTF-8, limited shape. Does not validate
 * values.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { requestLimits } from '../../schema/dsl/requestLimits';
import { ApiError } from '../context/errors';
import { requireJsonShape } from './jsonShape';

/** Maximum bytes of a body that is not a file. */
export const bodyLimit = 1024 * 1024;
/** Maximum bytes of a query string. */
const maxQueryLength = 8 * 1024;

/** Adds the parsers of JSON and forms; other content types get 415. */
export function addParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/(json|[\w.-]+\+json)\b/i,
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => readJson(body),
  );
  app.addContentTypeParser(
    /^application\/x-www-form-urlencoded\b/i,
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => readForm(body),
  );
}

/** Reads the bodies of all routes of `app` as bytes, whatever their content type. */
export function addRawParser(app: FastifyInstance, limit: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: limit },
    async (_request: FastifyRequest, body: Buffer) => body,
  );
}

/** Body that `addRawParser` has read. */
export const rawBodyOf = ({ body }: { body: unknown }): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** Sends 200 with an empty body. */
export const sendEmpty = (reply: FastifyReply): FastifyReply => reply.status(200).header('Content-Length', 0).send('');

/**
 * Hook that rejects compressed bodies, which no parser reads. Ignores other values of `Content-Encoding`, because some
 * clients send a charset there.
 */
export function refuseCompressed(
  { headers }: FastifyRequest,
  _reply: FastifyReply,
  payload: RequestPayload,
  done: (error: ApiError | null, payload?: RequestPayload) => void,
): void {
  if (!/\b(gzip|deflate|br|zstd|compress)\b/i.test(headers['content-encoding'] ?? '')) done(null, payload);
  else done(ApiError.wrongEncoding());
}

/** Hook that rejects query strings that are too long or have too many pairs. */
export function limitQuery({ url }: FastifyRequest, _reply: FastifyReply, done: (error?: ApiError) => void): void {
  const start = url.indexOf('?');
  const query = start < 0 ? '' : url.slice(start + 1);
  if (query.length > maxQueryLength) done(ApiError.malformed());
  else
    done(
      query.split('&', requestLimits.pairs + 1).length > requestLimits.pairs
        ? ApiError.limitExceeded('limit_pairs', requestLimits.pairs)
        : undefined,
    );
}

/**
 * Returns the value of a JSON body; `undefined` for an empty body. JSON.parse makes `__proto__` an own key, which
 * validation then rejects like any unknown field.
 */
function readJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  requireJsonShape(body);
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    throw ApiError.malformed();
  }
}

/** Returns form values by name; an array for a repeated name. */
function readForm(body: Buffer): Record<string, string | string[]> {
  if (body.length > 0 && !isText(body)) throw ApiError.malformed();
  const text = body.toString();
  if (text.split('&', requestLimits.pairs + 1).length > requestLimits.pairs)
    throw ApiError.limitExceeded('limit_pairs', requestLimits.pairs);
  const values = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const earlierValue = values.get(name);
    if (earlierValue === undefined) values.set(name, value);
    else if (Array.isArray(earlierValue)) earlierValue.push(value);
    else values.set(name, [earlierValue, value]);
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
