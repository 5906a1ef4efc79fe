/** Closes connections that announce too large a packet, before its bytes are buffered. */
import type { Socket } from 'node:net';

/**
 * Returns a scanner for the successive bytes of a stream of MQTT packets (fixed header: MQTT 3.1.1, section 2.2). It
 * returns whether all packets so far are within `maxBytes`.
 */
export function createPacketScanner(maxBytes: number): (bytes: Uint8Array) => boolean {
  /** Remaining bytes of the current packet. */
  let remaining = 0;
  /** Inside a header: the length of the packet so far, and the factor of the next length byte. */
  let header: { length: number; factor: number } | undefined;
  return (bytes) => {
    let offset = 0;
    while (offset < bytes.length) {
      if (remaining > 0) {
        const skippedBytes = Math.min(remaining, bytes.length - offset);
        remaining -= skippedBytes;
        offset += skippedBytes;
      } else if (!header) {
        header = { length: 0, factor: 1 };
        offset += 1;
      } else {
        const byte = bytes[offset] as number;
        header = { length: header.length + (byte & 127) * header.factor, factor: header.factor * 128 };
        offset += 1;
        if (header.length > maxBytes || header.factor > 128 ** 4) return false;
        if (byte < 128) {
          remaining = header.length;
          header = undefined;
        }
      }
    }
    return true;
  };
}

/** Must be called after the broker has attached its listeners to the socket. */
export function limitPackets(socket: Socket, maxBytes: number): void {
  const isWithinLimit = createPacketScanner(maxBytes);
  socket.on('data', (bytes: Buffer) => {
    if (!isWithinLimit(bytes)) socket.destroy();
  });
}
