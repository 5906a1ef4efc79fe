/** Makes brotli copies of static files, so that no request has to wait for compression. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);
const compressible = /\.(js|css|html|svg|json|map|txt|webmanifest)$/;

/**
 * Writes `<name>.br` next to every text file in `folder`. Quality 11 takes seconds once, but saves 10 % of every load.
 */
export async function precompress(folder) {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && compressible.test(entry.name),
  );
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const bytes = await readFile(`${parentPath}/${name}`);
      const compressed = await compress(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      });
      if (compressed.length < bytes.length) await writeFile(`${parentPath}/${name}.br`, compressed);
    }),
  );
}
