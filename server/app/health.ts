/** Liveness, readiness and metrics, for operators. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ApiError } from '../context/errors';
import type { Routes } from '../context/services';
import { poolWaiting, poolWaitSeconds } from '../db/core/poolMetrics';
import { isMetricsToken } from '../http/isMetricsToken';
import { jobSeconds, taskSeconds } from '../jobs/jobMetrics';
import { waitingObjects } from '../objects/objectTasks';
import { unroutedMessages } from '../telemetry/ingest/unroutedMessages';
import { addDatabaseMetrics } from './addDatabaseMetrics';
import { registerReplicaMetrics } from './registerReplicaMetrics';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests are held open on purpose: their time is no measure of load. */
    held?: boolean;
  }
}

const publicRoute = { config: { public: true, unlimited: true } };

export const healthRoutes: Routes = async (app) => {
  const { db, env, storage } = app.services;
  app.get('/healthz', publicRoute, async () => ({ status: 'ok' }));
  app.get('/readyz', publicRoute, async (_request, reply) => {
    if (app.lifecycle.isEnding) return reply.status(503).send({ status: 'ending' });
    await db.ready();
    await storage.check();
    return { status: 'ready', database: db.kind };
  });
  app.metrics.gauge({
    name: 'row_mismatches',
    help: 'Statements whose rows differed from their declared shape; the log names them.',
    value: db.rowMismatches,
  });
  if (app.services.objects) {
    app.metrics.gauge({
      name: 'files_waiting',
      help: 'Files that are old enough for the object storage and still in the database.',
      value: () => waitingObjects.files,
    });
    app.metrics.gauge({
      name: 'files_waiting_bytes',
      help: 'Bytes of the files that `files_waiting` counts.',
      value: () => waitingObjects.fileBytes,
    });
    app.metrics.gauge({
      name: 'raw_message_days_waiting',
      help: 'Days of raw messages that are old enough for the object storage and still in the database.',
      value: () => waitingObjects.messageDays,
    });
  }
  if (db.replicas) registerReplicaMetrics(app.metrics.registry, db.replicas);
  const { registry } = app.metrics;
  addDatabaseMetrics(registry, app.services);
  const { metricsToken, metricsPort } = env;
  // Metrics reveal load and calls, so without a token the route does not exist.
  if (metricsToken === undefined || metricsPort !== 0) return;
  app.get('/metrics', publicRoute, async (request, reply) => {
    if (!isMetricsToken(request.headers.authorization, metricsToken)) throw ApiError.unauthenticated();
    return reply
      .type(registry.contentType)
      .header('Cache-Control', 'no-store')
      .send(await registry.metrics());
  });
};

export interface Metrics {
  registry: Registry;
  count(request: FastifyRequest, reply: FastifyReply, done: () => void): void;
  /** Adds a gauge whose value is read on each scrape. */
  gauge(options: { name: string; help: string; value: () => number }): void;
}

/** Creates the Prometheus metrics of one application: of the process, and of requests by route. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registry.registerMetric(jobSeconds);
  registry.registerMetric(taskSeconds);
  registry.registerMetric(poolWaitSeconds);
  registry.registerMetric(poolWaiting);
  registry.registerMetric(unroutedMessages);
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests served.',
    labelNames,
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the end of the response, except of requests that are held open on purpose.',
    labelNames: ['route'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  return {
    registry,
    count(request, reply, done) {
      const route = request.routeOptions.url ?? 'none';
      requests.inc({ method: request.method, route, status: String(reply.statusCode) });
      if (!request.routeOptions.config.held) seconds.observe({ route }, reply.elapsedTime / 1000);
      done();
    },
    gauge({ name, help, value }) {
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(value()) });
    },
  };
}
