/** Serves the OpenAPI document, and a documentation page that works offline. */
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyPluginAsync } from 'fastify';
import type { Routes } from '../context/services';
import { apiPrefix } from '../http/http';
import { buildOpenapi } from './buildOpenapi';
import { logo, mark } from './logo';

export const openapiRoutes: Routes = async (app) => {
  const { services } = app;
  const document = buildOpenapi(services.model.entities, services.env.publicUrl);
  app.get(`${apiPrefix}/openapi.json`, { config: { public: true } }, async () => document);

  const describe: FastifyPluginAsync = async (page) => {
    // JSON is valid YAML.
    page.decorate('swagger', (options?: { yaml?: boolean }) =>
      options?.yaml ? JSON.stringify(document, null, 2) : document,
    );
  };

  await app.register(async (page) => {
    // The documentation page gets the document from the plugin of this name; ours is generated from the declarations.
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
      routePrefix: '/api/docs',
      uiConfig: { docExpansion: 'none', persistAuthorization: false },
      logo: { type: 'image/svg+xml', content: Buffer.from(logo), href: '/', target: '_self' },
      theme: {
        title: 'Sweepline API',
        favicon: [
          { filename: 'favicon.svg', rel: 'icon', sizes: 'any', type: 'image/svg+xml', content: Buffer.from(mark) },
        ],
      },
    });
  });
};
