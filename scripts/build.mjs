/**
 * Builds what `npm start` runs: the web app in `dist/web` with a brotli copy beside each asset, the server in `dist/server`
 * (one file per source file, packages stay in node_modules) and the migrated image of the embedded database.
 * `--force` builds although nothing changed.
 */
import { rm } from 'node:fs/promises';
import { precompress } from './lib/brotli.mjs';
import { bundleServer, bundleWeb } from './lib/bundles.mjs';
import { makeImage } from './lib/image.mjs';
import { dist } from './lib/paths.mjs';
import { hashOfSources, isBuilt, markBuilt } from './lib/sources.mjs';

if (process.argv.includes('--force') || !isBuilt()) {
  const started = performance.now();
  const hash = hashOfSources();
  await rm(dist, { recursive: true, force: true });
  // One after the other: on two cores side by side is no faster and needs twice the memory.
  await bundleServer();
  await makeImage();
  await bundleWeb();
  await precompress(`${dist}/web`);
  markBuilt(hash);
  console.log(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
} else {
  console.log('The build is up to date.');
}
