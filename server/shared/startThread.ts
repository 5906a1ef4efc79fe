/** Starts worker threads, both from sources and from the build. */
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts the file at the URL `file`, given without its extension: `new URL('./x', import.meta.url)`. When run from
 * sources, the thread must register TypeScript before it loads its file, because `--import` does not apply to the entry
 * of a worker.
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
