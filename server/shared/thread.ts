/** Starts a thread of the server, from the sources or from the build. */
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * `file`: address without its ending, made by `new URL('./x', import.meta.url)`. Run from the sources the thread must
 * learn TypeScript before it loads its file:
 * `--import` does not reach a worker's own entry.
 */
export function startThread(file: URL, options: WorkerOptions): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = new URL(`${file.href}.${isSource ? 'ts' : 'js'}`);
  if (!isSource) return new Worker(entry, options);
  const loader =
    `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ register }) => { ` +
    `register(); return import(${JSON.stringify(entry.href)}); })`;
  return new Worker(loader, { ...options, eval: true, execArgv: [] });
}
