/** Serves `/metrics` on a separate port, for a network reserved for monitoring. */
import { createServer } from 'node:http';
import type { Env } from '../context/env';
import { isMetricsToken } from '../http/isMetricsToken';
import type { Metrics } from './health';

/** Listens on `METRICS_PORT`, if set. Returns a function that closes the port. */
export async function listenForMetrics(
  { registry }: Metrics,
  { metricsPort, metricsToken, host }: Pick<Env, 'metricsPort' | 'metricsToken' | 'host'>,
): Promise<() => Promise<void>> {
  if (metricsPort === 0) return async () => undefined;
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?');
    if (path !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end();
    if (metricsToken !== undefined && !isMetricsToken(request.headers.authorization, metricsToken))
      return void response.writeHead(401).end();
    registry.metrics().then(
      (text) =>
        response.writeHead(200, { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(metricsPort, host, resolve);
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}
