/** Devices that report by OsmAnd at a constant rate over persistent connections. */
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';

export interface DeviceLoadOptions {
  url: string;
  /** Ids of trackers, used in turn. */
  devices: readonly string[];
  /** Messages per second, sent whether or not earlier ones were answered. */
  rate: number;
  seconds: number;
  connections?: number;
}

export interface DeviceLoadResult {
  offered: number;
  /** Messages answered 200. */
  acknowledged: number;
  /** Other outcomes by status, or by the code of a connection that failed. */
  failures: Record<string, number>;
  /** Milliseconds from the time a message was due until its answer. */
  p50: number;
  p95: number;
  max: number;
}

/** Sends the load and resolves when every message was answered or failed; times out after 30 s. */
export async function runDeviceLoad({
  url,
  devices,
  rate,
  seconds,
  connections = 50,
}: DeviceLoadOptions): Promise<DeviceLoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const pending: Promise<void>[] = [];
  const started = performance.now();
  let offered = 0;
  let acknowledged = 0;
  for (let due = 0; due < seconds * 1000; ) {
    const now = performance.now() - started;
    for (; due <= now && due < seconds * 1000; due = (offered * 1000) / rate) {
      const dueAt = started + due;
      const id = devices[offered % devices.length] ?? '';
      offered += 1;
      const status = ['cleaning', 'parked', 'charging'][offered % 3] ?? '';
      const path = `/ingest/osmand?id=${encodeURIComponent(id)}&lat=52.${offered % 1000}&lon=13.4&batt=${offered % 100}&status=${status}`;
      pending.push(
        send(`${url}${path}`, agent).then((outcome) => {
          latencies.push(performance.now() - dueAt);
          if (outcome === '200') acknowledged += 1;
          else failures[outcome] = (failures[outcome] ?? 0) + 1;
        }),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(pending);
  agent.destroy();
  latencies.sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round(latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN);
  return { offered, acknowledged, failures, p50: at(0.5), p95: at(0.95), max: at(1) };
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
