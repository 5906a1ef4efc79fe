/** A server on 127.0.0.1 that records requests. Stands for an SMS gateway or a receiver of webhooks. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer as createListener, type Socket } from 'node:net';

export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  requests: ReceivedRequest[];
  /** Response to all further requests. */
  response: { status: number; headers?: Record<string, string>; body?: string };
  close(): Promise<void>;
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const receivedRequests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    receivedRequests.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(receiver.response.status, receiver.response.headers).end(receiver.response.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: receivedRequests,
    response: { status: 200 },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}

export interface SilentServer {
  port: number;
  /** Number of connections so far. */
  connectionCount(): number;
  close(): Promise<void>;
}

/** Starts a server that accepts connections but never reads or writes, so that senders wait. */
export async function startSilentServer(): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  const server = createListener({ pauseOnConnect: true }, (socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connectionCount: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
