/**
 * Serves the built web app. Hashed assets are immutable; the page is revalidated each time and answers every path of
 * the browser's router.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../context/errors';
import type { Routes } from '../context/services';

/** Folder of the web app: next to the built server, or in the build folder when the server runs from sources. */
const folder = [new URL('../../web/', import.meta.url), new URL('../../dist/web/', import.meta.url)]
  .map((url) => fileURLToPath(url))
  .find((path) => existsSync(`${path}index.html`));

export const webRoutes: Routes = async (app) => {
  if (folder === undefined) return;
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, public: true, unlimited: true };
  });
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) =>
      void reply.header(
        'Cache-Control',
        path.startsWith(`${folder}assets/`) ? 'public, max-age=31536000, immutable' : 'no-cache',
      ),
  });
};

/** Answers unmatched routes: browsers get the page, programs a 404. */
export function notFound(request: FastifyRequest, reply: FastifyReply): void {
  if (folder === undefined || !isPage(request)) throw ApiError.notFound();
  // The reply is not returned: Fastify would await it with listeners of its own, in addition to the file stream's.
  reply.sendFile('index.html');
}

const programPaths = /^\/(api|ingest|storage|healthz|readyz|metrics|assets)(\/|\?|$)/;

function isPage({ method, url, headers }: FastifyRequest): boolean {
  const [path = ''] = url.split('?');
  const acceptsHtml = /text\/html|\*\/\*/.test(headers.accept ?? '*/*');
  return (method === 'GET' || method === 'HEAD') && acceptsHtml && !programPaths.test(url) && !/\.\w+$/.test(path);
}
