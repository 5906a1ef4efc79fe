/** OsmAnd on a separate port, at `/`, as devices configured for Traccar expect it. */
import fastify from 'fastify';
import type { Services } from '../../context/services';
import { respondToError } from '../../http/errorHandler';
import { addOsmAnd } from './telemetryRoutes';

/** Listens on `OSMAND_PORT` if set. Returns a function that stops it. */
export async function listenForOsmAnd(services: Services): Promise<() => Promise<void>> {
  const { osmandPort, host, trustedProxies } = services.env;
  if (osmandPort === 0) return async () => undefined;
  const app = fastify({
    loggerInstance: services.log,
    disableRequestLogging: true,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
  });
  app.decorate('services', services);
  app.setErrorHandler(respondToError);
  addOsmAnd(app, '/');
  await app.listen({ port: osmandPort, host });
  return () => app.close();
}
