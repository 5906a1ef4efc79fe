/** The application: everything between a request and its answer. The process around it is `main.ts`; tests build the same one. */
import { randomUUID } from 'node:crypto';
import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { limits } from '../schema/dsl/checks';
import { requestLimits } from '../schema/requestLimits';
import { authenticate, authenticateAgain } from './api/auth';
import { dashboardRoutes } from './api/dashboard';
import { entityRoutes } from './api/entity/routes';
import { fileRoutes } from './api/files';
import { headersFor } from './api/headers';
import { healthRoutes, type Metrics, makeMetrics } from './api/health';
import { limiter } from './api/limits';
import { liveRoutes } from './api/live-routes';
import { openapiRoutes } from './api/openapi';
import { overridden } from './api/override';
import { addParsers, bodyLimit, limitQuery } from './api/parsers';
import { requireKnownParameters } from './api/queryParameters';
import { respondToError } from './api/respond';
import { searchRoutes } from './api/search';
import { sessionRoutes } from './api/session';
import { notFound, webRoutes } from './api/web';
import { entityServers } from './entities/index';
import { reportRoutes } from './reports/routes';
import { calendarRoutes } from './service/calendar';
import type { Services } from './services';
import { telemetryRoutes } from './telemetry/routes';

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics;
  }
}

/** Files of one form; no call takes more than one at a field. */
const mostFiles = 5;

export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { env } = services;
  const app = fastify({
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: env.trustedProxies.length > 0 ? [...env.trustedProxies] : false,
    bodyLimit,
    http: { maxHeaderSize: 64 * 1024 },
    forceCloseConnections: 'idle',
    rewriteUrl: overridden,
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: (error, request, reply) => void respondToError(error, request, reply),
  });
  app.decorate('services', services);
  app.decorate('metrics', makeMetrics());
  app.decorateRequest('caller', null as never);
  app.setErrorHandler(respondToError);
  app.setNotFoundHandler(notFound);
  addParsers(app);
  await app.register(multipart, {
    limits: {
      fileSize: limits.document + 1,
      files: mostFiles,
      fields: requestLimits.pairs,
      fieldSize: bodyLimit,
      parts: requestLimits.pairs + mostFiles,
      fieldNameSize: 300,
    },
  });

  app.addHook('onRequest', headersFor(env));
  app.addHook('onRequest', limitQuery);
  if (env.rateLimit) app.addHook('onRequest', limiter());
  app.addHook('onRequest', authenticate);
  app.addHook('preHandler', authenticateAgain);
  app.addHook('onRequest', requireKnownParameters);
  app.addHook('onResponse', app.metrics.count);

  for (const routes of [
    healthRoutes,
    sessionRoutes,
    fileRoutes,
    entityRoutes,
    openapiRoutes,
    liveRoutes,
    telemetryRoutes,
    dashboardRoutes,
    searchRoutes,
    calendarRoutes,
    reportRoutes,
  ])
    await app.register(routes);
  for (const { name } of services.entities) {
    const { routes } = entityServers[name] ?? {};
    if (routes) await app.register(routes);
  }
  await app.register(webRoutes);
  await app.ready();
  return app;
}
