/**
 * A reverse proxy in front of several processes. Sends requests only to processes that are ready according to
 * `/readyz`.
 */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReverseProxy {
  url: string;
  /** Addresses of the processes that are ready. */
  readyServers(): string[];
  close(): Promise<void>;
}

/** Milliseconds between two checks of `/readyz`. */
const checkInterval = 50;

/** Starts the proxy. It never sends a request twice, so clients see every failure of a process. */
export async function startProxy(upstreams: readonly string[]): Promise<ReverseProxy> {
  const agent = new Agent({ keepAlive: true });
  const readyUpstreams = new Set<string>();
  let requestCount = 0;
  const check = () =>
    Promise.all(
      upstreams.map(async (upstream) => {
        const isReady = await fetch(`${upstream}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) readyUpstreams.add(upstream);
        else readyUpstreams.delete(upstream);
      }),
    );
  await check();
  const timer = setInterval(() => void check(), checkInterval);

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const candidates = [...readyUpstreams];
    requestCount += 1;
    const upstream = candidates[requestCount % candidates.length];
    if (!upstream) return void outgoing.writeHead(503).end();
    const { method, headers, url = '/' } = incoming;
    const call = request(upstream + url, { method, headers, agent }, (response) => {
      const { connection: _, ...headersToForward } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, headersToForward);
      response.pipe(outgoing);
      response.once('error', () => outgoing.destroy());
    });
    call.once('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    outgoing.once('close', () => call.destroy());
    incoming.pipe(call);
  };
  const server = createServer(forward);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    readyServers: () => [...readyUpstreams],
    close: async () => {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
