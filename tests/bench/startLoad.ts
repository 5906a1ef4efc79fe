/** Starts the load generator (load.ts), a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { root } from '../support/sources';
import type { Job, LoadResult } from './load';
import type { MqttJob, MqttResult } from './mqttLoad';

export function startLoad() {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'tests/bench/load.ts'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const ask = async <R extends object>(job: Job | MqttJob): Promise<R> => {
    child.stdin?.write(`${JSON.stringify(job)}\n`);
    const { value } = await lines.next();
    const answer = JSON.parse(String(value)) as R | { error: string };
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  };
  return {
    run: (job: Job): Promise<LoadResult> => ask(job),
    runMqtt: (job: MqttJob): Promise<MqttResult> => ask(job),
    end: () => child.stdin?.end(),
  };
}
