/**
 * Ends a process behind a proxy in two steps. First `/readyz` fails, so that the proxy sends new requests elsewhere;
 * only later does the process stop listening. In between it serves everything.
 */
import type { FastifyInstance } from 'fastify';

export interface Lifecycle {
  /** The process has been signalled to end: `/readyz` answers 503. */
  isEnding: boolean;
}

/**
 * Closes keep-alive connections after their next response once the process is ending. A client then opens its next
 * connection to another process, instead of sending a request just as the connection is cut.
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
