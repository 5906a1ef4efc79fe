/** Tells whether `dist/` is up to date with the sources. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dist, root } from './paths.mjs';

const inputs = [
  'schema',
  'locales',
  'server',
  'demo',
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/lib',
];
const mark = '.sources';

/**
 * SHA-256 of the names and contents of all files that the build reads. Times do not count, so a fresh clone and a
 * copied tree are equal.
 */
export function hashOfSources() {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const file of inputs.flatMap(filesUnder)) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

export const isBuilt = () =>
  existsSync(`${dist}/${mark}`) && readFileSync(`${dist}/${mark}`, 'utf8') === hashOfSources();

/** Records in a finished build which sources it was built from. */
export const markBuilt = (folder, hash) => writeFileSync(`${folder}/${mark}`, hash);

function filesUnder(path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats) return [];
  if (stats.isFile()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesUnder(`${path}/${name}`));
}
