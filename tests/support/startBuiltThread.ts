/**
 * Replaces `server/shared/startThread.ts` if a build of the same sources exists. Its threads load no TypeScript, which
 * saves two fifths of the time to open an embedded database.
 */
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { root } from './sources';

export const startBuiltThread = (file: URL, options: WorkerOptions): Worker =>
  new Worker(join(root, 'dist', `${relative(root, fileURLToPath(file))}.js`), { ...options, execArgv: [] });

/** Exported under the name that the product imports. */
export { startBuiltThread as startThread };
