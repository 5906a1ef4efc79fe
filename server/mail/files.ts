/** Files of mails, one each; names sort by the moment they were kept. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailKey } from '../context/mailer';

let count = 0;

/**
 * Keeps a file under a new name with the given ending, or under that of its mark; it is there completely or not at all,
 * and nobody else's to read.
 */
export async function writeMailFile(
  folder: string,
  ending: string,
  content: Buffer | string,
  mark?: MailKey,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  count += 1;
  const own = mark?.id ?? `${process.pid}-${String(count).padStart(6, '0')}`;
  const path = join(folder, `${(mark?.at ?? new Date()).toISOString().replaceAll(':', '-')}-${own}${ending}`);
  await writeFile(`${path}.new`, content, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
