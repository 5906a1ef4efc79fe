/** Headers of every answer: what a browser may do with it, who may read it, who may keep it. */
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Env } from '../context/env';

/**
 * Adds the hooks that set them, for this environment. They come before every other hook, so that refusals carry the
 * headers, too, and a preflight is answered without a token.
 */
export async function addHeaders(
  app: FastifyInstance,
  { publicUrl, corsOrigins }: Pick<Env, 'publicUrl' | 'corsOrigins'>,
): Promise<void> {
  const isPublicBehindTls = publicUrl.startsWith('https:');
  // Not global: whether a request came by TLS is known by request only.
  await app.register(helmet, { ...helmetOptions, global: false });
  app.addHook('onRequest', (request, reply, done) => {
    reply.helmet(isPublicBehindTls || request.protocol === 'https' ? behindTls : undefined);
    reply.header('Permissions-Policy', 'camera=(self), microphone=(), payment=(), usb=()');
    if (isPrivate(request.url)) reply.header('Cache-Control', 'no-store');
    done();
  });
  if (corsOrigins.length > 0) await addCors(app, new Set(corsOrigins));
}

/** Other origins are answered as if there were no such thing as CORS, a preflight with 404. */
async function addCors(app: FastifyInstance, allowed: ReadonlySet<string>): Promise<void> {
  // The plugin's own route is met by every OPTIONS that is no preflight of an allowed origin, too: 404 to all, not 401.
  // A 204 carries no Content-Length (RFC 9110, section 8.6), whatever the plugin says.
  app.addHook('onRoute', (route) => {
    if (route.method !== 'OPTIONS' || route.url !== '*') return;
    route.config = { ...route.config, public: true };
    route.onSend = (_, reply, payload, done) => {
      reply.removeHeader('Content-Length');
      done(null, payload);
    };
  });
  await app.register(cors, {
    delegator: (request: FastifyRequest, done: (error: Error | null, options?: FastifyCorsOptions) => void) => {
      const { origin } = request.headers;
      const preflight = request.headers['access-control-request-method'] !== undefined;
      done(
        null,
        origin !== undefined && allowed.has(origin) ? { ...corsOptions, origin, preflight } : { origin: false },
      );
    },
  });
}

const isPrivate = (url: string) => url.startsWith('/api/') || url.startsWith('/ingest');

/** What pages of other origins may read and send, where they may call at all. */
const corsOptions: FastifyCorsOptions = {
  exposedHeaders:
    'ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-Total-Count, Content-Disposition, Precognition, ' +
    'Precognition-Success',
  methods: 'GET, POST, PUT, PATCH, DELETE',
  allowedHeaders:
    'Authorization, Content-Type, Accept-Language, If-Match, Idempotency-Key, Precognition, ' +
    'Precognition-Validate-Only, Last-Event-ID',
  maxAge: 600,
  strictPreflight: false,
};

/**
 * Scripts from here alone and none inline. Styles may be inline, since the interface's library writes its rules into
 * the page as it runs; logos may come by any URL that the rules of images take, and tiles from their server.
 */
const directives = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:', 'https:', 'http:'],
  'font-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

/** Every header that the library would send by itself is named: an update changes no answer. */
const helmetOptions = {
  contentSecurityPolicy: { useDefaults: false, directives },
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: { policy: 'same-origin' },
  crossOriginResourcePolicy: false,
  originAgentCluster: false,
  referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  strictTransportSecurity: false,
  xContentTypeOptions: true,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: { action: 'deny' },
  xPermittedCrossDomainPolicies: false,
  xPoweredBy: false,
  xXssProtection: false,
} as const;

const behindTls = { strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: true } };
