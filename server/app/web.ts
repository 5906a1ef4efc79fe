/**
 * The built web app: hashed assets kept for ever, the page itself asked for each time, every path of the browser's
 * router answered by the page.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../context/errors';
import type { Routes } from '../context/services';

/** Beside the built server, or in the build folder when run from the sources. */
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
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      ),
  });
};

/** Where no route matches: the page for people who follow a link, 404 for programs. */
export function notFound(request: FastifyRequest, reply: FastifyReply): void {
  if (folder === undefined || !isPage(request)) throw ApiError.notFound();
  // Not given back: Fastify would wait for it with listeners of its own, beside those of the file's stream.
  reply.sendFile('index.html');
}

const ofPrograms = /^\/(api|ingest|storage|healthz|readyz|metrics|assets)(\/|\?|$)/;

function isPage({ method, url, headers }: FastifyRequest): boolean {
  const [path = ''] = url.split('?');
  const asksForPage = /text\/html|\*\/\*/.test(headers.accept ?? '*/*');
  return (method === 'GET' || method === 'HEAD') && asksForPage && !ofPrograms.test(url) && !/\.\w+$/.test(path);
}
