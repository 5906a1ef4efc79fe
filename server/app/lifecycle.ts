/**
 * End of a process behind a proxy: first it is no longer ready, so that the proxy sends new requests elsewhere; only
 * later does it stop listening. Until then it answers everything.
 */
import type { FastifyInstance } from 'fastify';

export interface Lifecycle {
  /** The process was signalled to end: `/readyz` is red. */
  isEnding: boolean;
}

/**
 * Closes kept-alive connections after their next response once the process ends. A client that opens a new one reaches
 * another process, and none sends a request at the moment at which the connection is cut.
 */
export function retireConnections(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (app.lifecycle.isEnding) reply.header('Connection', 'close');
    done(null, payload);
  });
}

/** Waits for proxies to notice that the process is no longer ready. */
export const waitForProxies = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000));
