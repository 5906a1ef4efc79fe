/**
 * Builds what `npm start` runs: the web app in `dist/web` with a brotli copy of each asset, the server in `dist/server`
 * (one file per source file; packages stay in node_modules) with its process bundled in `dist/process`, and the
 * migrated image of the embedded database. Does nothing if the sources have not changed, unless `--force` is given.
 */
import { rename, rm } from 'node:fs/promises';
import { bundleProcess, bundleServer, bundleWeb } from './lib/bundles.mjs';
import { makeImage } from './lib/makeImage.mjs';
import { dist, root } from './lib/paths.mjs';
import { precompress } from './lib/precompress.mjs';
import { hashOfSources, isBuilt, markBuilt } from './lib/sources.mjs';

if (process.argv.includes('--force') || !isBuilt()) {
  const started = performance.now();
  const hash = hashOfSources();
  // Builds in a separate folder and moves it into place: an interrupted build leaves nothing half-finished behind, and
  // a running server keeps its files until the end.
  const folder = `${root}node_modules/.cache/sweepline-build-${process.pid}`;
  try {
    await rm(folder, { recursive: true, force: true });
    // Sequential: on two cores, building in parallel is no faster and takes twice the memory.
    await bundleServer(folder);
    await bundleProcess(folder);
    await makeImage(folder);
    await bundleWeb(folder);
    await precompress(`${folder}/web`);
    markBuilt(folder, hash);
    await rm(dist, { recursive: true, force: true });
    await rename(folder, dist);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  console.log(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
} else {
  console.log('The build is up to date.');
}
