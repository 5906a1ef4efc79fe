/** Child processes that end with their parent. */
import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

/** Runs a program on this terminal. Resolves with its exit code. */
export function run(program, args, options = {}) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? 1 : code));
  });
}
