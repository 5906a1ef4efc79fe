/**
 * The load generator: a separate process that keeps `concurrency` connections busy. Each connection sends its next
 * request when the last response is complete. Uses HTTP/1.1 on bare sockets, which costs little CPU. Reads a job as one
 * line of JSON, and writes its result as one line.
 */
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fillTimes } from './loadClock';
import { type MqttJob, measureMqtt } from './mqttLoad';

export interface Job {
  port: number;
  concurrency: number;
  /** Seconds of load; requests in the first fifth are not counted. */
  seconds: number;
  token?: string;
  /**
   * Requests that all connections send in turn. `%n` becomes a number that never repeats, `%t` the next second of the
   * last ten days.
   */
  requests: { method: string; path: string; body?: string; token?: string }[];
  expect: number;
}

export interface LoadResult {
  /** Responses with the expected status per second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  responses: number;
  /** Number of responses with another status. */
  wrong: number;
  /** Size of the last response body in bytes. */
  bytes: number;
}

/** Starts at random, because queries of a previous run may be cached. */
let count = Math.floor(Math.random() * 1_000_000);

async function measure({ port, concurrency, seconds, token, requests, expect }: Job): Promise<LoadResult> {
  const start = performance.now();
  const from = start + seconds * 200;
  const until = start + seconds * 1000;
  const times: number[] = [];
  const result = { wrong: 0, bytes: 0 };
  const sendNext = () => {
    count += 1;
    return printRequest(requests[count % requests.length] as Job['requests'][number], token);
  };
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      const line = new Line(connect({ port, host: '127.0.0.1', noDelay: true }));
      while (performance.now() < until) {
        const sentAt = performance.now();
        const { status, bytes } = await line.ask(sendNext());
        const receivedAt = performance.now();
        if (status !== expect) result.wrong += 1;
        else if (receivedAt >= from) times.push(receivedAt - sentAt);
        result.bytes = bytes;
      }
      line.end();
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return {
    rate: times.length / ((until - from) / 1000),
    p50: at(0.5),
    p99: at(0.99),
    responses: times.length,
    ...result,
  };
}

function printRequest(
  { method, path, body, token: requestToken }: Job['requests'][number],
  defaultToken?: string,
): string {
  const token = requestToken ?? defaultToken;
  const uniqueSuffix = `${process.pid}-${Date.now().toString(36)}-${count}`;
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
class Line {
  private rest: Buffer = Buffer.alloc(0);
  private waiting:
    | { resolve(response: { status: number; bytes: number }): void; reject(error: Error): void }
    | undefined;

  constructor(private readonly socket: Socket) {
    socket.on('data', (bytes: Buffer) => {
      this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
      this.settle();
    });
    socket.on('error', (error) => this.waiting?.reject(error));
    socket.on('close', () => this.waiting?.reject(new Error('The server closed the connection.')));
  }

  ask(request: string): Promise<{ status: number; bytes: number }> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  end(): void {
    this.waiting = undefined;
    this.socket.end();
  }

  private settle(): void {
    const end = this.rest.indexOf('\r\n\r\n');
    if (end < 0) return;
    const header = this.rest.toString('latin1', 0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(header)?.[1] ?? Number.NaN);
    const start = end + 4;
    if (
      Number.isNaN(length)
        ? !this.rest.subarray(start).toString('latin1').endsWith('0\r\n\r\n')
        : this.rest.length < start + length
    )
      return;
    const bytes = this.rest.length - start;
    const status = Number(header.slice(9, 12));
    this.rest = Buffer.alloc(0);
    const pendingRequest = this.waiting;
    this.waiting = undefined;
    pendingRequest?.resolve({ status, bytes });
  }
}

if (process.argv[1]?.endsWith('loadGenerator.ts')) {
  for await (const line of createInterface({ input: process.stdin })) {
    const job = JSON.parse(line) as Job | MqttJob;
    const measurement = 'topic' in job ? measureMqtt(job) : measure(job);
    process.stdout.write(`${JSON.stringify(await measurement.catch((error: Error) => ({ error: error.message })))}\n`);
  }
  // Connections of devices may still be open.
  process.exit();
}
