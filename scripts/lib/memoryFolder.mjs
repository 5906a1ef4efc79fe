/** Puts temporary files of tests in memory if there is enough of it. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'sweepline-tests-';
const tmpfs = 0x01021994;
const gigabyte = 2 ** 30;

/**
 * Sets TMPDIR, for all processes started from here, to a folder in memory that is deleted at the end. Every test file
 * copies a database of 1,200 files, and Chromium shares memory through files. Keeps a TMPDIR that is already set. Uses
 * the disk if the system has no such folder or little memory.
 */
export function setUpMemoryFolder() {
  if (process.env.TMPDIR || !existsSync(memory)) return;
  deleteLeftovers();
  const { type, bavail, bsize } = statfsSync(memory);
  if (type !== tmpfs || bavail * bsize < 4 * gigabyte || process.availableMemory() < 8 * gigabyte) return;
  const folder = join(memory, `${prefix}${process.pid}`);
  mkdirSync(folder);
  // If this process runs as root, PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** Deletes folders of runs that were killed. */
function deleteLeftovers() {
  for (const name of readdirSync(memory))
    if (name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length))))
      rmSync(join(memory, name), { recursive: true, force: true });
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch ({ code }) {
    return code === 'EPERM';
  }
}
