/** Starts HAProxy with the configurations in `deploy/` in front of two servers. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './sources';
import { freePort } from './startCluster';
import type { ReverseProxy } from './startProxy';

export interface Haproxy extends ReverseProxy {
  mqttPort: number;
}

/** `mqttPorts`: those of the embedded brokers of both servers. */
export async function startHaproxy(upstreams: readonly string[], mqttPorts: readonly number[]): Promise<Haproxy> {
  const [port, mqttPort] = [await freePort(), await freePort()];
  const [firstHost = '', secondHost = ''] = upstreams.map((upstream) => new URL(upstream).host);
  // Debian installs it in a folder that only root has on its PATH. `-db` keeps it in the foreground.
  const files = ['haproxy.cfg', 'mqtt.cfg'].flatMap((name) => ['-f', join(root, 'deploy/haproxy', name)]);
  const child = spawn('haproxy', ['-db', ...files], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${process.env.PATH}:/usr/sbin:/opt/homebrew/bin`,
      BIND: `127.0.0.1:${port}`,
      SERVER_1: firstHost,
      SERVER_2: secondHost,
      BIND_MQTT: `127.0.0.1:${mqttPort}`,
      MQTT_1: `127.0.0.1:${mqttPorts[0]}`,
      MQTT_2: `127.0.0.1:${mqttPorts[1]}`,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const atExit = () => child.kill('SIGKILL');
  process.once('exit', atExit);
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const isAnswering = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const deadline = Date.now() + 10_000; !(await isAnswering()); await sleep(20))
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`HAProxy serves nothing:\n${output}`);
  /** Whether a server is up: the last log line about it does not say DOWN. */
  const isUp = (index: number) =>
    [...output.matchAll(/Server servers\/server(\d) is (UP|DOWN)/g)]
      .filter(([, server]) => Number(server) === index + 1)
      .at(-1)?.[2] !== 'DOWN';
  return {
    url,
    mqttPort,
    readyServers: () => upstreams.filter((_, index) => isUp(index)),
    close: async () => {
      process.off('exit', atExit);
      child.kill('SIGKILL');
      await exit;
    },
  };
}
