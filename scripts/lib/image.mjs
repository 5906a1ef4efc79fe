/** The migrated image of the embedded database, beside the built server. */
import { pathToFileURL } from 'node:url';
import { dist } from './paths.mjs';

/** Made by the bundle itself, so that image and server agree on the migrations. */
export async function makeImage() {
  const image = await import(pathToFileURL(`${dist}/server/db/image.js`).href);
  await image.makeImage(`${dist}/server/db`);
}
