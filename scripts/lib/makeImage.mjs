/** Creates the migrated image of the embedded database next to the built server. */
import { pathToFileURL } from 'node:url';

/** Uses the bundle itself, so that image and server agree on the migrations. */
export async function makeImage(dist) {
  const image = await import(pathToFileURL(`${dist}/server/db/embedded/image.js`).href);
  await image.createImage(`${dist}/server/db/embedded`);
}
