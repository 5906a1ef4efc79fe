/** The description of the API: the document, and a page to read it that works offline. */
import swaggerUi from '@fastify/swagger-ui';
import type { Routes } from '../services';
import { base } from './http';
import { openapiOf } from './openapi/document';

export const openapiRoutes: Routes = async (app) => {
  const { services } = app;
  const document = openapiOf(services.entities, services.env.publicUrl);
  app.get(`${base}/openapi.json`, { config: { public: true } }, async () => document);

  await app.register(async (page) => {
    // The reading page asks its host for the document through this decorator; ours is generated from the declarations.
    page.decorate('swagger', () => document);
    page.addHook('onRoute', (route) => {
      route.config = { ...route.config, public: true };
    });
    await page.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true, uiConfig: { docExpansion: 'none', persistAuthorization: false } });
  });
};
