/**
 * The load generator: a separate process that keeps `concurrency` connections busy. Each connection sends its next
 * request when the last response is complete. Uses HTTP/1.1 on bare sockets, which costs little CPU. Reads a job as one
 * line of JSON, and writes its result as one line.
 */
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fillTimes } from './loadClock';
import { type MqttJob, measureMqtt } from './mqttLoad';

export interface LoadJob {
  port: number;
  concurrency: number;
  /** Seconds of load; responses in the first fifth, and after the end, are not counted. */
  seconds: number;
  token?: string;
  /**
   * Requests that all connections send in turn. `%n` becomes a number that never repeats, `%t` the next second of the
   * last ten days.
   */
  requests: { method: string; path: string; body?: string; token?: string }[];
  expectedStatus: number;
}

export interface LoadResult {
  /** Responses with the expected status per second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  responses: number;
  /** Number of responses with another status. */
  wrongCount: number;
  /** Size of the last response body in bytes. */
  bytes: number;
}

/** Starts at random, because queries of a previous run may be cached. */
let requestCount = Math.floor(Math.random() * 1_000_000);

async function measure({ port, concurrency, seconds, token, requests, expectedStatus }: LoadJob): Promise<LoadResult> {
  const start = performance.now();
  const measuredFrom = start + seconds * 200;
  const until = start + seconds * 1000;
  const times: number[] = [];
  const result = { wrongCount: 0, bytes: 0 };
  const printNext = () => {
    requestCount += 1;
    return printRequest(requests[requestCount % requests.length] as LoadJob['requests'][number], token);
  };
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      const connection = new HttpConnection(connect({ port, host: '127.0.0.1', noDelay: true }));
      while (performance.now() < until) {
        const sentAt = performance.now();
        const { status, bytes } = await connection.send(printNext());
        const receivedAt = performance.now();
        if (status !== expectedStatus) result.wrongCount += 1;
        else if (receivedAt >= measuredFrom && receivedAt < until) times.push(receivedAt - sentAt);
        result.bytes = bytes;
      }
      connection.end();
    }),
  );
  times.sort((a, b) => a - b);
  const percentile = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return {
    rate: times.length / ((until - measuredFrom) / 1000),
    p50: percentile(0.5),
    p99: percentile(0.99),
    responses: times.length,
    ...result,
  };
}

function printRequest(
  { method, path, body, token: requestToken }: LoadJob['requests'][number],
  defaultToken?: string,
): string {
  const token = requestToken ?? defaultToken;
  const uniqueSuffix = `${process.pid}-${Date.now().toString(36)}-${requestCount}`;
  const content = body && fillTimes(body.replaceAll('%n', uniqueSuffix));
  const header = [
    `${method} ${fillTimes(path.replaceAll('%n', uniqueSuffix))} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Accept: application/json',
    ...(token ? [`Authorization: Bearer ${token}`] : []),
  ];
  if (content !== undefined)
    header.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`);
  return `${header.join('\r\n')}\r\n\r\n${content ?? ''}`;
}

/** One connection with one request at a time. Responses must have a content-length or be chunked. */
class HttpConnection {
  private received: Buffer = Buffer.alloc(0);
  private pendingRequest:
    | { resolve(response: { status: number; bytes: number }): void; reject(error: Error): void }
    | undefined;

  constructor(private readonly socket: Socket) {
    socket.on('data', (bytes: Buffer) => {
      this.received = this.received.length === 0 ? bytes : Buffer.concat([this.received, bytes]);
      this.settle();
    });
    socket.on('error', (error) => this.pendingRequest?.reject(error));
    socket.on('close', () => this.pendingRequest?.reject(new Error('The server closed the connection.')));
  }

  send(request: string): Promise<{ status: number; bytes: number }> {
    return new Promise((resolve, reject) => {
      this.pendingRequest = { resolve, reject };
      this.socket.write(request);
    });
  }

  end(): void {
    this.pendingRequest = undefined;
    this.socket.end();
  }

  private settle(): void {
    const end = this.received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const header = this.received.toString('latin1', 0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(header)?.[1] ?? Number.NaN);
    const start = end + 4;
    if (
      Number.isNaN(length)
        ? !this.received.subarray(start).toString('latin1').endsWith('0\r\n\r\n')
        : this.received.length < start + length
    )
      return;
    const bytes = this.received.length - start;
    const status = Number(header.slice(9, 12));
    this.received = Buffer.alloc(0);
    const { pendingRequest } = this;
    this.pendingRequest = undefined;
    pendingRequest?.resolve({ status, bytes });
  }
}

if (process.argv[1]?.endsWith('loadGenerator.ts')) {
  for await (const line of createInterface({ input: process.stdin })) {
    const job = JSON.parse(line) as LoadJob | MqttJob;
    const measurement = 'topic' in job ? measureMqtt(job) : measure(job);
    process.stdout.write(`${JSON.stringify(await measurement.catch((error: Error) => ({ error: error.message })))}\n`);
  }
  // Connections of devices may still be open.
  process.exit();
}
