/**
 * `npm start`: builds if the sources have changed, then becomes the server: a single process with its own signals and
 * exit code.
 */
import { pathToFileURL } from 'node:url';
import { dist, root } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { isBuilt } from './lib/sources.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Sweepline needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
if (!isBuilt()) {
  console.log('Building (once per change of the sources) ...');
  // Builds in a separate process, so that the server does not keep the memory of a build.
  const code = await run(process.execPath, ['scripts/build.mjs']);
  if (code !== 0) process.exit(code);
}
process.chdir(root);
process.env.NODE_ENV ??= 'production';
await import(pathToFileURL(`${dist}/process/main.js`).href);
