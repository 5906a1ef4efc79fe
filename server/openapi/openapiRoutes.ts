/** Serves the OpenAPI document, and a documentation page that works offline. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyPluginAsync } from 'fastify';
import type { Routes } from '../context/services';
import { apiPrefix } from '../http/http';
import { createSharedBody, type SendSharedBody } from '../http/sharedBody';
import { buildOpenapi } from './buildOpenapi';
import { downgradeOpenapi } from './downgradeOpenapi';
import { logo, logoMark } from './logo';

const pagePath = '/api/docs';
const jsonType = 'application/json; charset=utf-8';
const { resolve } = createRequire(import.meta.url);

/** A file of Swagger UI, by its path below the documentation page. */
function pageFile(name: string): [path: string, send: SendSharedBody] {
  const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
  return [`static/${name}`, createSharedBody(type, () => readFile(resolve(`@fastify/swagger-ui/static/${name}`)))];
}

export const openapiRoutes: Routes = async (app) => {
  const { services } = app;
  const document = buildOpenapi(services.model.entities, services.env.publicUrl);
  const sendDocument = createSharedBody(jsonType, () => Buffer.from(JSON.stringify(document)));
  app.get(`${apiPrefix}/openapi.json`, { config: { public: true } }, sendDocument);

  const describe: FastifyPluginAsync = async (page) => {
    // JSON is valid YAML.
    page.decorate('swagger', (options?: { yaml?: boolean }) =>
      options?.yaml ? JSON.stringify(document, null, 2) : document,
    );
  };

  const bodies = new Map<string, SendSharedBody>([
    ['json', createSharedBody(jsonType, () => Buffer.from(JSON.stringify(downgradeOpenapi(document))))],
    ...['swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js', 'swagger-ui.css'].map((name) => pageFile(name)),
  ]);
  await app.register(async (page) => {
    // Runs before the routes of the plugin, which would send these files uncompressed.
    page.addHook('onRequest', async (request, reply) => {
      const send = bodies.get(request.url.slice(pagePath.length + 1).split('?')[0] ?? '');
      return send?.(request, reply);
    });
    // The documentation page gets the document from the plugin of this name, which this one replaces: ours is generated
    // from the declarations.
    await page.register(
      Object.assign(describe, {
        [Symbol.for('skip-override')]: true,
        [Symbol.for('plugin-meta')]: { name: '@fastify/swagger' },
      }),
    );
    page.addHook('onRoute', (route) => {
      route.config = { ...route.config, public: true };
    });
    await page.register(swaggerUi, {
      routePrefix: pagePath,
      uiConfig: { docExpansion: 'none', persistAuthorization: false },
      logo: { type: 'image/svg+xml', content: Buffer.from(logo), href: '/', target: '_self' },
      theme: {
        title: 'Sweepline API',
        favicon: [
          { filename: 'favicon.svg', rel: 'icon', sizes: 'any', type: 'image/svg+xml', content: Buffer.from(logoMark) },
        ],
      },
    });
  });
};
