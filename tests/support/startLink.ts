/** A TCP link between two hosts that can be cut: this process relays every byte. */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/**
 * `stalled`: nothing passes and no side is notified, like a pulled cable. `dropped`: existing and new connections are
 * reset.
 */
export type LinkState = 'open' | 'stalled' | 'dropped';

export interface Link {
  port: number;
  /** Directs new connections to another port of 127.0.0.1. */
  pointTo(port: number): void;
  /** Sets the state. Opening a stalled link resumes it, since TCP retransmits what was lost. */
  setState(state: LinkState): void;
  /** Stalls the link after the next bytes that the target sends, which still pass. */
  stallAfterNextResponse(): void;
  close(): Promise<void>;
}

export async function startLink(target: number): Promise<Link> {
  let [port, state] = [target, 'open' as LinkState];
  const pairs = new Map<Socket, Socket>();
  const waitingSockets = new Set<Socket>();

  function relay(client: Socket): void {
    const upstream = connect(port, '127.0.0.1');
    pairs.set(client, upstream);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      socket
        .setNoDelay(true)
        .on('error', () => other.resetAndDestroy())
        .once('close', () => {
          pairs.delete(client);
          other.destroy();
        });
    client.pipe(upstream);
    upstream.pipe(client);
  }

  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => undefined);
    if (state === 'open') relay(socket);
    else if (state === 'dropped') socket.resetAndDestroy();
    else waitingSockets.add(socket.once('close', () => waitingSockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const setState = (newState: LinkState) => {
    state = newState;
    const allSockets = [...pairs].flat();
    if (newState === 'dropped') for (const socket of [...allSockets, ...waitingSockets]) socket.resetAndDestroy();
    if (newState === 'stalled') for (const socket of allSockets) socket.unpipe().pause();
    if (newState !== 'open') return;
    for (const [client, upstream] of pairs) {
      client.pipe(upstream);
      upstream.pipe(client);
    }
    for (const socket of waitingSockets) relay(socket);
    waitingSockets.clear();
  };
  return {
    port: (server.address() as AddressInfo).port,
    pointTo: (newPort) => {
      port = newPort;
    },
    setState,
    stallAfterNextResponse: () => {
      const upstreams = [...pairs.values()];
      const stall = () => {
        for (const upstream of upstreams) upstream.off('data', stall);
        setState('stalled');
      };
      for (const upstream of upstreams) upstream.on('data', stall);
    },
    close: async () => {
      setState('dropped');
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
