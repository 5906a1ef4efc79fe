/** Starts the load generator (loadGenerator.ts) as a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { root } from '../support/sources';
import type { LoadJob, LoadResult } from './loadGenerator';
import type { MqttJob, MqttResult } from './mqttLoad';

export function startLoad() {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'tests/bench/loadGenerator.ts'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const send = async <R extends object>(job: LoadJob | MqttJob): Promise<R> => {
    child.stdin?.write(`${JSON.stringify(job)}\n`);
    const { value } = await lines.next();
    const message = JSON.parse(String(value)) as R | { error: string };
    if ('error' in message) throw new Error(message.error);
    return message;
  };
  return {
    run: (job: LoadJob): Promise<LoadResult> => send(job),
    runMqtt: (job: MqttJob): Promise<MqttResult> => send(job),
    end: () => child.stdin?.end(),
  };
}
