/** Runs child processes in the process group of their parent, so that Ctrl+C ends them, too. */
import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

/** Runs a program on this terminal; with `onOutput`, passes its output there instead. Resolves with the exit code. */
export function run(program, args, { onOutput, ...options } = {}) {
  const stdio = onOutput ? ['ignore', 'pipe', 'pipe'] : 'inherit';
  const child = spawn(program, args, { cwd: root, stdio, ...options });
  if (onOutput) for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onOutput);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ? 1 : code));
  });
}
