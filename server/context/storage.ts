/**
 * Whether there is room to store anything, and what happens while there is not.
 *
 * A full disk ends the embedded database: what it cannot log it cannot survive. So it stops taking writes while some
 * room is left, goes on reading, and takes them again by itself. A server refuses by itself; of its disk `/readyz`
 * learns by a file that is gone before it reaches the disk.
 */
import { statfs } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import { type Database, DatabaseFull } from '../db/core/database';

/**
 * Bytes that have to be free where DATA_DIR lies: of the embedded database for what is on its way when it is noticed,
 * beside a server for mails that wait.
 */
const leastFree = { pglite: 64 * 1024 * 1024, postgres: 8 * 1024 * 1024 };
/** Milliseconds between two looks at the disk of the embedded database. */
const lookEvery = 1000;
/** Milliseconds for which what the disk of a server had to say is believed. */
const believed = { room: 10_000, full: 1000 };

export interface Storage {
  /** Whether there was too little room at the last look. */
  isShort(): boolean;
  /** Looks again. Throws `DatabaseFull`. */
  check(): Promise<void>;
  stop(): void;
}

/** Gives the bytes that are free where a directory lies. */
export type FreeBytes = (directory: string) => Promise<number>;

export const freeBytesAt: FreeBytes = async (directory) => {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
};

interface StorageOptions {
  db: Database;
  dataDir: string;
  log: FastifyBaseLogger;
  freeBytes?: FreeBytes;
  /** Looks only when asked. */
  isIdle?: boolean;
}

export function watchStorage({ db, dataDir, log, freeBytes = freeBytesAt, isIdle = false }: StorageOptions): Storage {
  let isShort = false;
  let looking: Promise<void> | undefined;

  const look = async () => {
    // A little more has to be free before writes begin again, so that they do not come and go.
    const least = leastFree[db.kind] * (isShort ? 1.25 : 1);
    const wasShort = isShort;
    isShort = (await freeBytes(dataDir)) < least;
    if (isShort !== wasShort)
      log[isShort ? 'error' : 'info'](
        { dataDir },
        isShort ? 'there is no room left to store anything' : 'there is room again',
      );
    // Its one session may be a new one since the last look.
    if (db.kind === 'pglite' && (isShort || wasShort))
      await db.text(`set default_transaction_read_only = ${isShort ? 'on' : 'off'}`, []);
  };
  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const spill = rememberedFor(() => spillOnServer(db));

  const timer =
    isIdle || db.kind !== 'pglite'
      ? undefined
      : setInterval(
          () => lookOnce().catch((err: unknown) => log.warn({ err }, 'the disk could not be looked at')),
          lookEvery,
        );
  timer?.unref();
  return {
    isShort: () => isShort,
    async check() {
      await lookOnce();
      if (isShort) throw new DatabaseFull();
      if (db.kind === 'postgres') await spill();
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * Has a server sort more than it may hold in memory: 2 MB in a file of its own, that nothing logs and that is deleted
 * at once.
 */
async function spillOnServer(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.rows(sql`set local work_mem = '64kB'`);
    await tx.rows(
      sql`select count(*) from (select repeat('x', 1000) || n as text from generate_series(1, 2000) n
        order by 1) sorted`,
    );
  });
}

/** The same outcome for a while, so that nobody wears the disk by asking. */
function rememberedFor(work: () => Promise<void>): () => Promise<void> {
  let known: { outcome: Promise<void>; until: number } | undefined;
  return () => {
    if (known && known.until > Date.now()) return known.outcome;
    const asked = { outcome: work(), until: Date.now() + believed.room };
    known = asked;
    asked.outcome.catch(() => {
      asked.until = Date.now() + believed.full;
    });
    return asked.outcome;
  };
}
