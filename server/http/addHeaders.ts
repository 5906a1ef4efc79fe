/** Security and CORS headers of every response. */
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import helmet from '@fastify/helmet';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Env } from '../context/env';

/**
 * Adds the hooks that set the headers. Must be registered before all other hooks, so that errors carry the headers and
 * preflights need no token.
 */
export async function addHeaders(
  app: FastifyInstance,
  { publicUrl, corsOrigins }: Pick<Env, 'publicUrl' | 'corsOrigins'>,
): Promise<void> {
  const isPublicBehindTls = publicUrl.startsWith('https:');
  const [plainHeaders, secureHeaders] = await Promise.all([
    helmetHeaders(helmetOptions),
    helmetHeaders({ ...helmetOptions, ...tlsOptions }),
  ]);
  app.addHook('onRequest', (request, reply, done) => {
    // Without a public https URL, it depends on the request whether it came over TLS.
    const headers = isPublicBehindTls || request.protocol === 'https' ? secureHeaders : plainHeaders;
    for (const [name, value] of headers) reply.raw.setHeader(name, value);
    reply.header('Permissions-Policy', 'camera=(self), microphone=(), payment=(), usb=()');
    if (isPrivate(request.url)) reply.header('Cache-Control', 'no-store');
    done();
  });
  if (corsOrigins.length > 0) await addCors(app, new Set(corsOrigins));
}

/** Returns the headers that the library sets on every response, so that they are built only once. */
async function helmetHeaders(
  options: typeof helmetOptions | (Omit<typeof helmetOptions, 'strictTransportSecurity'> & typeof tlsOptions),
): Promise<[name: string, value: string][]> {
  const sample = fastify();
  await sample.register(helmet, options);
  sample.get('/', async (_, { raw }) => Object.entries(raw.getHeaders()));
  const response = await sample.inject('/');
  await sample.close();
  return response.json();
}

/** Adds CORS. Unlisted origins get no CORS headers, and their preflights get 404. */
async function addCors(app: FastifyInstance, allowedOrigins: ReadonlySet<string>): Promise<void> {
  // The plugin's route also matches every OPTIONS request that is not an allowed preflight; all of these get 404, not
  // 401. A 204 carries no Content-Length (RFC 9110, section 8.6), but the plugin sends one.
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
        origin !== undefined && allowedOrigins.has(origin) ? { ...corsOptions, origin, preflight } : { origin: false },
      );
    },
  });
}

/** Whether a response may contain data of callers, so that no cache may store it. */
const isPrivate = (url: string) => url.startsWith('/api/') || url.startsWith('/ingest');

/** CORS headers for allowed origins. */
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
 * Allows scripts from this origin only, and none inline. Allows inline styles, because the component library injects
 * rules at run time, and images from any URL, because image fields accept any URL and another server sends map tiles.
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

/** Sets every header that the library would set by default, so that an update of the library changes no response. */
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

const tlsOptions = { strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: true } };
