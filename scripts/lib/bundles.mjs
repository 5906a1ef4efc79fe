/** Bundles the server and the web app with vite. */

import { existsSync } from 'node:fs';
import { cp, readdir } from 'node:fs/promises';
import { relative } from 'node:path';
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

/**
 * Bundles the process of `npm start` once more, as a few files in `dist/process`: loading a file per source file takes a
 * fifth of its start. Its threads, migrations and assets are those of `bundleServer`.
 */
export async function bundleProcess(dist) {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [keepSourceUrls],
    ssr: { noExternal: bundledPackages },
    build: {
      ssr: true,
      outDir: `${dist}/process`,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: { main: `${root}server/app/main.ts` },
        output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
}

/** Packages of many ES modules. The others stay in node_modules: they are CommonJS, or load files of their own. */
const bundledPackages = ['drizzle-orm', 'jose', 'typebox'];

/** Keeps `import.meta.url` of a module the URL of its file in the output of `bundleServer`. */
const keepSourceUrls = {
  name: 'keep-source-urls',
  enforce: 'pre',
  transform(code, id) {
    if (id.includes('/node_modules/') || !code.includes('import.meta.url')) return undefined;
    const path = JSON.stringify(`../${relative(root, id).replace(/\.ts$/, '.js')}`);
    return { code: code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`), map: null };
  },
};

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
