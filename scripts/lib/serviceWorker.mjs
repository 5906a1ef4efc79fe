/** Makes the web app installable: bundles its service worker and draws its icons. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { build } from 'vite';
import { root } from './paths.mjs';

/** Files that the worker stores for every device: these, and some of the assets. */
const shellFiles = ['index.html', 'start.js', 'favicon.svg', 'manifest.webmanifest'];
const isShellAsset = (name) => /\.(js|css|woff2)$/.test(name);

/** Bundles the worker into a single script that contains the list of built files in `web`. */
export async function bundleServiceWorker(web) {
  const files = await Promise.all(
    shellFiles.map(async (name) => ({
      url: `/${name}`,
      revision: createHash('sha256')
        .update(await readFile(`${web}/${name}`))
        .digest('hex')
        .slice(0, 16),
    })),
  );
  const assets = (await readdir(`${web}/assets`)).filter(isShellAsset).map((name) => `/assets/${name}`);
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { shellAssets: JSON.stringify(assets.sort()), shellFiles: JSON.stringify(files) },
    build: {
      outDir: web,
      emptyOutDir: false,
      target: 'es2022',
      rolldownOptions: {
        input: `${root}src/offline/serviceWorker.ts`,
        output: { format: 'iife', entryFileNames: 'sw.js' },
      },
    },
  });
}

/**
 * Draws the icons named in the manifest from the logo. A maskable icon fills its square, with the mark in the middle.
 */
export async function drawIcons(web) {
  const logo = await readFile(`${web}/favicon.svg`, 'utf8');
  const maskable = logo
    .replace('rx="8" ', '')
    .replace(/(<rect [^>]*\/>)(.*)(<\/svg>)/s, '$1<g transform="translate(4.8 4.8) scale(.7)">$2</g>$3');
  await mkdir(`${web}/icons`, { recursive: true });
  for (const [name, svg, size] of [
    ['192', logo, 192],
    ['512', logo, 512],
    ['maskable-192', maskable, 192],
    ['maskable-512', maskable, 512],
  ]) {
    const png = await sharp(Buffer.from(svg), { density: (72 * size) / 32 })
      .resize(size, size)
      .png()
      .toBuffer();
    await writeFile(`${web}/icons/${name}.png`, png);
  }
}
