/**
 * The application: everything between a request and its response. `main.ts` runs it in a process, and tests build the
 * same one.
 */
import { randomUUID } from 'node:crypto';
import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { limits } from '../../schema/dsl/checks';
import { requestLimits } from '../../schema/dsl/requestLimits';
import { authenticate, authenticateAgain } from '../auth/auth';
import { createRateLimitHook } from '../auth/rateLimit';
import type { Services } from '../context/services';
import { sessionRoutes } from '../features/account/sessionRoutes';
import { dashboardRoutes } from '../features/dashboard/dashboardRoutes';
import { installationRoutes } from '../features/dashboard/installationRoutes';
import { performanceRoutes } from '../features/dashboard/performanceRoutes';
import { runFiguresRoutes } from '../features/dashboard/runFiguresRoutes';
import { inboxRoutes } from '../features/inbox/inboxRoutes';
import { jsonServerRoutes } from '../features/jsonServer/jsonServerRoutes';
import { reportRoutes } from '../features/reports/reportRoutes';
import { searchRoutes } from '../features/search/searchRoutes';
import { serviceCalendarRoutes } from '../features/service/serviceCalendarRoutes';
import { fileRoutes } from '../files/images';
import { addHeaders } from '../http/addHeaders';
import { applyMethodOverride } from '../http/applyMethodOverride';
import { respondToError } from '../http/errorHandler';
import { addParsers, bodyLimit, limitQuery, refuseCompressed } from '../http/parsers';
import { requireKnownParameters } from '../http/queryParameters';
import { openapiRoutes } from '../openapi/openapiRoutes';
import { liveRoutes } from '../realtime/liveRoutes';
import { telemetryRoutes } from '../telemetry/routes/telemetryRoutes';
import { addSecurityLog } from './addSecurityLog';
import { entityRoutes } from './entityRoutes';
import { createMetrics, healthRoutes, type Metrics } from './health';
import { type Lifecycle, retireConnections } from './lifecycle';
import { notFound, webRoutes } from './web';

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics;
    lifecycle: Lifecycle;
  }
}

/** Maximum files per form; no call takes more than one per field. */
const maxFiles = 5;

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** Builds the application. `printSecurity` receives the lines of the security log. */
export async function buildApp(
  services: Services,
  printSecurity: (line: string) => void = printLine,
): Promise<FastifyInstance> {
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
    // A request that arrives while the server closes is still served, instead of rejected with 503.
    return503OnClosing: false,
    rewriteUrl: applyMethodOverride,
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: (error, request, reply) => void respondToError(error, request, reply),
  });
  app.decorate('services', services);
  app.decorate('metrics', createMetrics());
  app.decorate('lifecycle', { isEnding: false });
  app.decorateRequest('caller', null as never);
  app.decorateRequest('address', '');
  app.decorateRequest('logPosition', undefined);
  app.decorateRequest('accountId', 0);
  app.setErrorHandler(respondToError);
  app.setNotFoundHandler(notFound);
  addParsers(app);
  retireConnections(app);
  await app.register(multipart, {
    limits: {
      fileSize: limits.document + 1,
      files: maxFiles,
      fields: requestLimits.pairs,
      fieldSize: bodyLimit,
      parts: requestLimits.pairs + maxFiles,
      fieldNameSize: 300,
    },
  });

  // Must be the first hook: the client may disconnect while a later hook waits, and `ip` is then gone.
  app.addHook('onRequest', (request, _reply, done) => {
    request.address = request.ip ?? '';
    done();
  });
  await addHeaders(app, env);
  app.addHook('onRequest', limitQuery);
  if (env.rateLimit) app.addHook('onRequest', createRateLimitHook());
  app.addHook('onRequest', authenticate);
  app.addHook('preParsing', refuseCompressed);
  app.addHook('preHandler', authenticateAgain);
  app.addHook('onRequest', requireKnownParameters);
  app.addHook('onResponse', app.metrics.count);
  addSecurityLog(app, printSecurity);

  for (const routes of [
    healthRoutes,
    sessionRoutes,
    fileRoutes,
    entityRoutes,
    jsonServerRoutes,
    openapiRoutes,
    liveRoutes,
    telemetryRoutes,
    dashboardRoutes,
    installationRoutes,
    performanceRoutes,
    runFiguresRoutes,
    inboxRoutes,
    searchRoutes,
    serviceCalendarRoutes,
    reportRoutes,
  ])
    await app.register(routes);
  for (const { hooks } of services.model.entities) if (hooks.routes) await app.register(hooks.routes);
  await app.register(webRoutes);
  await app.ready();
  return app;
}
