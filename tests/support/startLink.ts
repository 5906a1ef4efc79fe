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
  close(): Promise<void>;
}

export async function startLink(target: number): Promise<Link> {
  let [port, state] = [target, 'open' as LinkState];
  const pairs = new Map<Socket, Socket>();
  const waiting = new Set<Socket>();

  function join(near: Socket): void {
    const far = connect(port, '127.0.0.1');
    pairs.set(near, far);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const)
      socket
        .setNoDelay(true)
        .on('error', () => other.resetAndDestroy())
        .once('close', () => {
          pairs.delete(near);
          other.destroy();
        });
    near.pipe(far);
    far.pipe(near);
  }

  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => undefined);
    if (state === 'open') join(socket);
    else if (state === 'dropped') socket.resetAndDestroy();
    else waiting.add(socket.once('close', () => waiting.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const setState = (next: LinkState) => {
    state = next;
    const all = [...pairs].flat();
    if (next === 'dropped') for (const socket of [...all, ...waiting]) socket.resetAndDestroy();
    if (next === 'stalled') for (const socket of all) socket.unpipe().pause();
    if (next !== 'open') return;
    for (const [near, far] of pairs) {
      near.pipe(far);
      far.pipe(near);
    }
    for (const socket of waiting) join(socket);
    waiting.clear();
  };
  return {
    port: (server.address() as AddressInfo).port,
    pointTo: (next) => {
      port = next;
    },
    setState,
    close: async () => {
      setState('dropped');
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
