/** Mosquitto as an external broker: a separate process with persistence, without access control. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDevice } from './mqttDevice';
import { freePort } from './startCluster';

export interface Mosquitto {
  url: string;
  port: number;
  /** Log output so far: connections and, with `-v`, every packet. */
  output(): string;
  /**
   * Makes Mosquitto save all messages. Mosquitto 2.0 saves on its own only when a message waits for a disconnected
   * session, not when it has acknowledged a message that it is still delivering.
   */
  save(): Promise<void>;
  /** Sends SIGKILL. Saved messages stay. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Stops it and deletes its files. */
  stop(): Promise<void>;
}

export async function startMosquitto(): Promise<Mosquitto> {
  const program = ['/usr/sbin/mosquitto', '/usr/bin/mosquitto', '/opt/homebrew/sbin/mosquitto'].find(existsSync);
  const folder = mkdtempSync(join(tmpdir(), 'sweepline-mosquitto-'));
  const port = await freePort();
  const configuration = join(folder, 'mosquitto.conf');
  writeFileSync(
    configuration,
    [
      `listener ${port} 127.0.0.1`,
      'allow_anonymous true',
      'persistence true',
      `persistence_location ${folder}/`,
      // Saves whenever a message has to wait, and on each subscription.
      'autosave_on_changes true',
      'autosave_interval 1',
      'max_queued_messages 0',
      // Started as root, it would switch to a user who cannot write here.
      ...(process.getuid?.() === 0 ? ['user root'] : []),
      '',
    ].join('\n'),
  );
  let output = '';
  const launch = async () => {
    const child = spawn(program ?? 'mosquitto', ['-c', configuration, '-v'], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
    await waitUntilAnswering(port, child);
    return child;
  };
  let child = await launch();
  const atExit = () => child.kill('SIGKILL');
  process.once('exit', atExit);
  const end = async (signal: NodeJS.Signals) => {
    const exit = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.signalCode === null && child.kill(signal)) await exit;
  };
  return {
    url: `mqtt://127.0.0.1:${port}`,
    port,
    output: () => output,
    save: async () => {
      const readModifiedTime = () => statSync(join(folder, 'mosquitto.db')).mtimeMs;
      const timeBefore = readModifiedTime();
      child.kill('SIGUSR1');
      // Mosquitto writes a second file and renames it, so the time of the file changes once.
      while (readModifiedTime() === timeBefore) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    kill: () => end('SIGKILL'),
    restart: async () => {
      child = await launch();
    },
    stop: async () => {
      process.off('exit', atExit);
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function waitUntilAnswering(port: number, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`Mosquitto ended with ${child.exitCode}.`);
    const client = await connectDevice(port, { connectTimeout: 1000 }).catch(() => undefined);
    if (client) return client.endAsync(true);
    if (Date.now() > deadline) throw new Error('Mosquitto does not answer.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
