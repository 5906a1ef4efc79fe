/** Bundles the server and the web app with vite. */

import { existsSync } from 'node:fs';
import { cp, readdir } from 'node:fs/promises';
import { build } from 'vite';
import { root } from './paths.mjs';
import { bundleServiceWorker, drawIcons } from './serviceWorker.mjs';

/**
 * Bundles the server into the folder `dist`, with one file per source file. So `new URL('./x', import.meta.url)` works
 * the same in `server/` and `dist/server/`, for workers, migrations and assets.
 */
export async function bundleServer(dist) {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: true,
      outDir: dist,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: await entries(),
        output: { format: 'esm', preserveModules: true, preserveModulesRoot: root, entryFileNames: '[name].js' },
      },
    },
  });
  const isMigration = (path) => !/\.ts$/.test(path);
  if (existsSync(`${root}server/db/migrations`))
    await cp(`${root}server/db/migrations`, `${dist}/server/db/migrations`, { recursive: true, filter: isMigration });
}

export async function bundleWeb(dist) {
  await build({ root, logLevel: 'warn', build: { outDir: `${dist}/web`, emptyOutDir: true } });
  await drawIcons(`${dist}/web`);
  await bundleServiceWorker(`${dist}/web`);
}

/** Returns the entry points: the process, its workers, and its commands. */
async function entries() {
  const folders = await Promise.all(
    ['server', 'demo'].map(async (folder) =>
      (await readdir(`${root}${folder}`, { recursive: true })).map((name) => `${folder}/${name}`),
    ),
  );
  return folders
    .flat()
    .filter((name) => /\/(main|\w*[cC]li|image|\w*[wW]orker)\.ts$/.test(name))
    .map((name) => `${root}${name}`);
}
