/** Ends connections that announce a packet too large, before its bytes are gathered. */
import type { Socket } from 'node:net';

/**
 * A watch over the fixed headers in a stream of MQTT packets (MQTT 3.1.1, 2.2): says whether all of them so far are
 * within `most` bytes.
 */
export function sizeWatch(most: number): (bytes: Uint8Array) => boolean {
  /**
   * Bytes left of the packet that runs; within a header: what of the length is known, and how much the next byte of it
   * counts.
   */
  let left = 0;
  let header: { length: number; factor: number } | undefined;
  return (bytes) => {
    let at = 0;
    while (at < bytes.length) {
      if (left > 0) {
        const passed = Math.min(left, bytes.length - at);
        left -= passed;
        at += passed;
      } else if (!header) {
        header = { length: 0, factor: 1 };
        at += 1;
      } else {
        const byte = bytes[at] as number;
        header = { length: header.length + (byte & 127) * header.factor, factor: header.factor * 128 };
        at += 1;
        if (header.length > most || header.factor > 128 ** 4) return false;
        if (byte < 128) {
          left = header.length;
          header = undefined;
        }
      }
    }
    return true;
  };
}

/** To be called when the broker reads from the socket already: bytes are seen as it takes them. */
export function limitPackets(socket: Socket, most: number): void {
  const isWithin = sizeWatch(most);
  socket.on('data', (bytes: Buffer) => {
    if (!isWithin(bytes)) socket.destroy();
  });
}
