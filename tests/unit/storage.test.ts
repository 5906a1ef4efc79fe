/** Which disk checks `/readyz` performs, and how often. */
import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { watchStorage } from '../../server/context/storage';
import { type Database, DatabaseFull } from '../../server/db/core/database';

const log = pino({ level: 'silent' });
afterEach(() => {
  vi.useRealTimers();
});

/** Watches a database whose transactions are replaced by `runTransaction`. */
function watchServer(runTransaction: () => Promise<never> | Promise<void>) {
  const transaction = vi.fn(runTransaction);
  const storage = watchStorage({
    db: { kind: 'postgres', transaction } as unknown as Database,
    dataDir: '/',
    log,
    freeBytes: async () => 1e12,
    isIdle: true,
  });
  return { transaction, storage };
}

test('a server with free space is probed at most every ten seconds, however often `check` is called', async () => {
  vi.useFakeTimers();
  const { transaction, storage } = watchServer(async () => undefined);
  for (let call = 0; call < 50; call += 1) await storage.check();
  expect(transaction).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10_001);
  await storage.check();
  expect(transaction).toHaveBeenCalledTimes(2);
});

test('a server without free space is probed every second until it has some again', async () => {
  vi.useFakeTimers();
  let isFull = true;
  const { storage } = watchServer(async () => {
    if (isFull) throw new DatabaseFull();
  });
  await expect(storage.check()).rejects.toBeInstanceOf(DatabaseFull);
  isFull = false;
  await expect(storage.check()).rejects.toBeInstanceOf(DatabaseFull);
  vi.advanceTimersByTime(1001);
  await expect(storage.check()).resolves.toBeUndefined();
});

test('free space is that of the data directory', async () => {
  const checkedDirectories: string[] = [];
  const freeBytes = async (directory: string) => {
    checkedDirectories.push(directory);
    return 0;
  };
  const storage = watchStorage({
    db: { kind: 'postgres' } as Database,
    dataDir: '/data',
    log,
    freeBytes,
    isIdle: true,
  });
  await expect(storage.check()).rejects.toBeInstanceOf(DatabaseFull);
  expect([checkedDirectories, storage.isShort()]).toEqual([['/data'], true]);
});
