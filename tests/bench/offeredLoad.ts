/**
 * Sends OsmAnd messages at a fixed rate while pages listen. Measures acknowledgements, latency and the delay of the
 * pages.
 */
import { connect, type Socket } from 'node:net';

const connections = 100;

export interface OfferedLoad {
  port: number;
  /** Device ids of trackers, which send in turn. */
  devices: readonly string[];
  /** Messages per second. */
  rate: number;
  seconds: number;
  /** Number of the first message. The latitude of each message encodes its number. */
  from?: number;
  /** Called when a message is acknowledged. */
  onAcknowledged?(device: string, index: number): void;
}

export interface OfferedLoadResult {
  /** Share of the messages that were acknowledged while the load was running. */
  acknowledgedShare: number;
  /** Milliseconds between the time when a message was due and its response. */
  p50: number;
  p95: number;
  wrongCount: number;
}

/** Sends at a fixed rate, regardless of responses. Time spent waiting for a free connection counts as latency. */
export async function sendAtRate(load: OfferedLoad): Promise<OfferedLoadResult> {
  const { port, devices, rate, seconds, from = 0, onAcknowledged } = load;
  const start = performance.now();
  const total = rate * seconds;
  const times: number[] = [];
  let [nextIndex, onTimeCount, wrongCount] = [0, 0, 0];
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      while (nextIndex < total) {
        const index = nextIndex++;
        const dueAt = start + (index * 1000) / rate;
        const remainingMs = dueAt - performance.now();
        if (remainingMs > 0) await new Promise((resolve) => setTimeout(resolve, remainingMs));
        // Gives up on the remaining messages after twice the time.
        if (performance.now() - start > seconds * 2000) break;
        const device = devices[index % devices.length] as string;
        const status = await sendRequest(socket, messageOf(device, from + index));
        const now = performance.now();
        if (status !== 200) wrongCount += 1;
        else {
          onAcknowledged?.(device, from + index);
          times.push(now - dueAt);
          if (now - start <= seconds * 1000 + 500) onTimeCount += 1;
        }
      }
      socket.destroy();
    }),
  );
  return {
    acknowledgedShare: onTimeCount / total,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    wrongCount,
  };
}

export const percentile = (values: readonly number[], share: number): number => {
  const sortedValues = values.toSorted((a, b) => a - b);
  return sortedValues[Math.min(sortedValues.length - 1, Math.floor(sortedValues.length * share))] ?? Number.NaN;
};

/** Encodes the number of a message as its latitude, with 5 decimals and rising. */
const latitudeOf = (index: number) => 40 + index / 1e5;
const indexOf = (latitude: number) => Math.round((latitude - 40) * 1e5);

const messageOf = (device: string, index: number) =>
  `GET /ingest/osmand?id=${encodeURIComponent(device)}&lat=${latitudeOf(index).toFixed(5)}&lon=13.4&batt=${20 + (index % 70)}&status=${index % 3 === 0 ? 'parked' : 'cleaning'} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

const sendRequest = (socket: Socket, request: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const settle = (status: number) => {
      socket.off('data', receive).off('close', onClose).off('error', onClose);
      if (status > 0) resolve(status);
      else reject(new Error('The server closed the connection.'));
    };
    const receive = (bytes: Buffer) => settle(Number(bytes.toString('latin1', 9, 12)));
    const onClose = () => settle(0);
    socket.on('data', receive).on('close', onClose).on('error', onClose);
    socket.write(request);
  });

export interface ListeningPages {
  /** Bytes received so far. */
  bytes(): number;
  openCount(): number;
  close(): void;
  /**
   * Milliseconds between the acknowledgement of a message and the event that shows it, or a newer one of its machine.
   */
  delays: number[];
  /** Number of messages that no event has shown yet. */
  unseenCount(): number;
  acknowledge(device: string, index: number): void;
}

/**
 * Opens event streams that read and discard everything. The delay is measured on the first one, whose user must see all
 * machines.
 */
export async function openPages(
  port: number,
  tokens: readonly string[],
  machineByDevice: ReadonlyMap<string, number> = new Map(),
): Promise<ListeningPages> {
  let bytes = 0;
  const delays: number[] = [];
  const pendingMessages = new Map<number, { index: number; at: number }[]>();
  const latestShown = new Map<number, number>();
  const show = (machine: number, index: number) => {
    const now = performance.now();
    latestShown.set(machine, Math.max(index, latestShown.get(machine) ?? 0));
    const messages = pendingMessages.get(machine) ?? [];
    for (const message of messages) if (message.index <= index) delays.push(now - message.at);
    pendingMessages.set(
      machine,
      messages.filter((message) => message.index > index),
    );
  };
  const sockets: Socket[] = [];
  // In groups, because a thousand simultaneous connections would overflow the listen queue of the system.
  for (let from = 0; from < tokens.length; from += 50)
    sockets.push(
      ...(await Promise.all(
        tokens.slice(from, from + 50).map(async (token, index) => {
          const socket = connect({ port, host: '127.0.0.1', noDelay: true });
          const request = `GET /api/v1/events?count=alerts HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${token}\r\n\r\n`;
          if ((await sendRequest(socket, request)) !== 200) throw new Error('A stream was refused.');
          let partialLine = '';
          const read = (piece: Buffer) => {
            const lines = (partialLine + piece.toString()).split('\n');
            partialLine = lines.pop() ?? '';
            for (const line of lines) {
              const [, machine, latitude] =
                /^data: \{"topic":"resource\/machines\/(\d+)".*"latitude":([\d.]+)/.exec(line) ?? [];
              if (latitude) show(Number(machine), indexOf(Number(latitude)));
            }
          };
          if (from + index === 0 && machineByDevice.size > 0) socket.on('data', read);
          return socket.on('data', (piece: Buffer) => (bytes += piece.length)).on('error', () => undefined);
        }),
      )),
    );
  return {
    bytes: () => bytes,
    openCount: () => sockets.filter(({ readyState }) => readyState === 'open').length,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
    delays,
    unseenCount: () => [...pendingMessages.values()].reduce((sum, messages) => sum + messages.length, 0),
    acknowledge: (device, index) => {
      const machine = machineByDevice.get(device);
      if (machine === undefined) return;
      if ((latestShown.get(machine) ?? -1) >= index) delays.push(0);
      else pendingMessages.set(machine, [...(pendingMessages.get(machine) ?? []), { index, at: performance.now() }]);
    },
  };
}
