/**
 * Responses that are the same for everybody as long as the process runs: compressed once, and revalidated with an ETag.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compressors = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      // Quality 11 would save another 5 %, but take ten times as long while the first client waits.
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
};
type Encoding = keyof typeof compressors;

/** Sends the body, or 304 if the client already has it. */
export type SendSharedBody = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Creates the sender of a shared body. `load` is called at the first request, and again only after it failed. */
export function createSharedBody(type: string, load: () => Buffer | Promise<Buffer>): SendSharedBody {
  let body: Promise<{ bytes: Buffer; tag: string }> | undefined;
  const compressedBodies = new Map<Encoding, Promise<Buffer>>();
  const loadWithTag = async () => {
    const bytes = await load();
    return { bytes, tag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
  };
  const compress = (encoding: Encoding, bytes: Buffer) => {
    const compressed = compressedBodies.get(encoding) ?? compressors[encoding](bytes);
    compressedBodies.set(encoding, compressed);
    return compressed;
  };
  return async ({ headers }, reply) => {
    body ??= loadWithTag().catch((error: unknown) => {
      body = undefined;
      throw error;
    });
    const { bytes, tag } = await body;
    // `Vary` may already name the origin, on which the CORS headers depend.
    const vary = [reply.getHeader('Vary'), 'Accept-Encoding'].filter(Boolean).join(', ');
    reply.header('Cache-Control', 'no-cache').header('ETag', tag).header('Vary', vary);
    if (headers['if-none-match']?.split(/\s*,\s*/).includes(tag)) return reply.code(304).send();
    const encoding = encodingFor(headers['accept-encoding']);
    reply.type(type);
    return encoding
      ? reply.header('Content-Encoding', encoding).send(await compress(encoding, bytes))
      : reply.send(bytes);
  };
}

/** The best of our encodings that an Accept-Encoding header accepts. */
export function encodingFor(acceptedEncodings: string | readonly string[] | undefined): Encoding | undefined {
  const weights = new Map(
    String(acceptedEncodings ?? '')
      .toLowerCase()
      .split(',')
      .map((entry): [string, number] => {
        const [name = '', weight] = entry.split(/;\s*q=/);
        return [name.trim(), weight === undefined ? 1 : Number(weight)];
      }),
  );
  return (['br', 'gzip'] as const).find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0);
}
