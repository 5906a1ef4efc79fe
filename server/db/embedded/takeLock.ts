/**
 * Locks the embedded directory for one process: two processes would acknowledge writes and overwrite each other's
 * (electric-sql/pglite#1106).
 */
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

/** Milliseconds after which a takeover is that of a killed process: it takes a few. */
const maxTakeover = 10_000;

interface Holder {
  pid: number;
  host: string;
  /**
   * Start time of the process in clock ticks since boot, where the system provides it: a pid may be reused, a pid with
   * its start time is not.
   */
  started: string;
}

/**
 * Takes the lock file, also from a process that has ended. Returns `release()`.
 * @throws an error that names the process holding the lock
 */
export function takeLock(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const holder: Holder = { pid: process.pid, host: hostname(), started: readProcessStart(process.pid) };
  if (!tryCreate(path, holder)) takeOver(path, holder);
  const release = () => {
    process.off('exit', release);
    if (isSame(readHolder(path), holder)) rmSync(path, { force: true });
  };
  process.on('exit', release);
  return release;
}

function takeOver(path: string, newHolder: Holder): void {
  // Only one process at a time can make the directory, so that no other takes over between check and write.
  const takeoverLock = `${path}.turn`;
  if (!tryMakeDirectory(takeoverLock)) throw refusal(path, readHolder(path));
  try {
    const holder = readHolder(path);
    if (holder && isAlive(holder)) throw refusal(path, holder);
    writeFileSync(path, JSON.stringify(newHolder));
  } finally {
    rmdirSync(takeoverLock);
  }
}

/** Returns whether this process made the directory, also in place of one that a killed process has left. */
function tryMakeDirectory(path: string): boolean {
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY);
  try {
    if (age > maxTakeover && Number.isFinite(age)) rmdirSync(path);
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}

const refusal = (path: string, holder: Holder | undefined) =>
  new Error(
    `The database in ${dirname(path)} is in use by process ${holder?.pid ?? '(just starting)'}. ` +
      `Stop that process, choose another DATA_DIR, or set DATABASE_URL to let several processes share one ` +
      `database. (Lock file: ${path})`,
  );

/**
 * Creates the lock file unless it exists. Links a complete file, because another process would take an empty one for
 * that of a process that has ended.
 */
function tryCreate(path: string, holder: Holder): boolean {
  const temporaryPath = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(temporaryPath, JSON.stringify(holder), { flag: 'wx' });
  try {
    linkSync(temporaryPath, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporaryPath, { force: true });
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

const isSame = (a: Holder | undefined, b: Holder) => a?.pid === b.pid && a.host === b.host && a.started === b.started;

/** Whether the holder still runs. Another host name is that of an earlier container, whose pid means nothing here. */
function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return holder.started === readProcessStart(holder.pid);
}

/** Field 22 of /proc/<pid>/stat (proc(5)), counted after the name, which may contain spaces; empty on other systems. */
function readProcessStart(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
