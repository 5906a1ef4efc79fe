/** Files of mails, one each; names sort by the moment they were kept. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

let count = 0;

/** Keeps a file under a new name with the given ending; it is there completely or not at all, and nobody else's to read. */
export async function keepFile(folder: string, ending: string, content: Buffer | string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  count += 1;
  const path = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${process.pid}-${String(count).padStart(6, '0')}${ending}`);
  await writeFile(`${path}.new`, content, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
