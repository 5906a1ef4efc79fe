/** Devices that send OsmAnd messages at a constant rate over persistent connections. */
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';

export interface DeviceLoadOptions {
  url: string;
  /** Device ids, used in turn. */
  devices: readonly string[];
  /** Messages per second, sent regardless of responses to earlier ones. */
  rate: number;
  /** Time until the last message; by default until `signal`. */
  seconds?: number;
  signal?: AbortSignal;
  connections?: number;
}

export interface DeviceLoadResult {
  offered: number;
  /** Number of messages answered with 200. */
  acknowledged: number;
  /** Number of other outcomes by status, or by the error code of a failed connection. */
  failures: Record<string, number>;
  /** Milliseconds between the time when a message was due and its response. */
  p50: number;
  p95: number;
  max: number;
}

/** Sends the load. Resolves once every message has been answered or has failed, at the latest after 30 s. */
export async function runDeviceLoad({
  url,
  devices,
  rate,
  seconds = Number.POSITIVE_INFINITY,
  signal,
  connections = 50,
}: DeviceLoadOptions): Promise<DeviceLoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const pendingRequests: Promise<void>[] = [];
  const start = performance.now();
  let offeredCount = 0;
  let acknowledgedCount = 0;
  for (let dueTime = 0; dueTime < seconds * 1000 && !signal?.aborted; ) {
    const now = performance.now() - start;
    for (; dueTime <= now && dueTime < seconds * 1000; dueTime = (offeredCount * 1000) / rate) {
      const dueAt = start + dueTime;
      const id = devices[offeredCount % devices.length] ?? '';
      offeredCount += 1;
      const status = ['cleaning', 'parked', 'charging'][offeredCount % 3] ?? '';
      const path = `/ingest/osmand?id=${encodeURIComponent(id)}&lat=52.${offeredCount % 1000}&lon=13.4&batt=${offeredCount % 100}&status=${status}`;
      pendingRequests.push(
        send(`${url}${path}`, agent).then((outcome) => {
          latencies.push(performance.now() - dueAt);
          if (outcome === '200') acknowledgedCount += 1;
          else failures[outcome] = (failures[outcome] ?? 0) + 1;
        }),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(pendingRequests);
  agent.destroy();
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) =>
    Math.round(latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN);
  return {
    offered: offeredCount,
    acknowledged: acknowledgedCount,
    failures,
    p50: percentile(0.5),
    p95: percentile(0.95),
    max: percentile(1),
  };
}

function send(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = request(url, { agent, timeout: 30_000 }, (response) => {
      response.resume();
      response.on('end', () => resolve(String(response.statusCode)));
      response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
    outgoing.on('timeout', () => outgoing.destroy(Object.assign(new Error('No answer'), { code: 'TIMEOUT' })));
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    outgoing.end();
  });
}
