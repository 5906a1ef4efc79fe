/** Reads the protocol level of a CONNECT before the broker reads the connection. */
import type { Socket } from 'node:net';

/** Bytes that hold the level of every valid CONNECT: fixed header, name of at most six letters, level. */
const maxStartLength = 14;

/** Returns `0` for bytes that do not begin a CONNECT, `undefined` if they are too few to tell. */
export function protocolLevelOf(bytes: Uint8Array): number | undefined {
  if (bytes.length > 0 && (bytes[0] as number) !== 0x10) return 0;
  let offset = 1;
  while (offset < 4 && (bytes[offset] ?? 0) >= 128) offset += 1;
  // A length of four bytes means megabytes: `limitPackets` must see it at once.
  if (offset === 4) return 0;
  const nameLength = (bytes[offset + 1] ?? 0) * 256 + (bytes[offset + 2] ?? 0);
  if (nameLength > 6) return 0;
  return bytes.length > offset + 2 ? bytes[offset + 3 + nameLength] : undefined;
}

/**
 * Calls `next` once with the level; `next` must attach the reader of the connection, which then receives all bytes from
 * the first on. Closes a connection that sends too few bytes within `timeout` milliseconds.
 */
export function onProtocolLevel(socket: Socket, timeout: number, next: (level: number) => void): void {
  let bytes = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeout);
  const peek = () => {
    bytes = Buffer.concat([bytes, (socket.read() as Buffer | null) ?? Buffer.alloc(0)]);
    const level = protocolLevelOf(bytes) ?? (bytes.length < maxStartLength ? undefined : 0);
    if (level === undefined) return;
    clearTimeout(timer);
    socket.off('readable', peek);
    next(level);
    socket.unshift(bytes);
  };
  socket.on('readable', peek);
  socket.on('error', () => undefined).on('close', () => clearTimeout(timer));
}
