/** Headers of every answer: what a browser may do with it, who may read it, who may keep it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../context/env';

/** Headers that pages of other origins may read and send, where they may call at all. */
const exposed =
  'ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, Content-Disposition, Precognition, Precognition-Success';
const taken =
  'Authorization, Content-Type, Accept-Language, If-Match, Idempotency-Key, Precognition, Precognition-Validate-Only, Last-Event-ID';

const preflight = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': taken,
  'Access-Control-Max-Age': '600',
};

/** The hook that sets them, for this environment. */
export function headersFor({ publicUrl, corsOrigins }: Pick<Env, 'publicUrl' | 'corsOrigins'>) {
  const always = { ...fixed, 'Content-Security-Policy': policy };
  const isPublicBehindTls = publicUrl.startsWith('https:');
  const allowed = new Set(corsOrigins);

  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    reply.headers(always);
    if (isPrivate(request.url)) reply.header('Cache-Control', 'no-store');
    if (isPublicBehindTls || request.protocol === 'https')
      reply.header('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    if (allowed.size > 0) reply.header('Vary', 'Origin');
    const { origin } = request.headers;
    const isAllowed = origin !== undefined && allowed.has(origin);
    if (isAllowed) reply.header('Access-Control-Allow-Origin', origin).header('Access-Control-Expose-Headers', exposed);
    if (isAllowed && request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined)
      reply.status(204).headers(preflight).send();
    else done();
  };
}

const isPrivate = (url: string) => url.startsWith('/api/') || url.startsWith('/ingest');

const fixed = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(self), microphone=(), payment=(), usb=()',
};

/**
 * Scripts from here alone and none inline. Styles may be inline, since the interface's library writes its rules into
 * the page as it runs; logos may come by any URL that the rules of images take, and tiles from their server.
 */
const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https: http:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
