/**
 * The server's own secret: taken from the environment, or generated at first start in a file that only the server's
 * user can read.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from './env';

/** Key that signs user tokens, and from which the key of stored secrets is derived (`encryptedSecret.ts`). */
export function loadSigningKey({ secret, dataDir }: Pick<Env, 'secret' | 'dataDir'>): Uint8Array {
  // The outbox for mails and the check of free space need the directory, too.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (secret) return new TextEncoder().encode(secret);
  const path = join(dataDir, 'secret');
  // Never an existing file: it might be a second name of the secret, left by a process that was killed after `link`.
  const temporaryPath = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(temporaryPath, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' });
  try {
    // `link` fails if the file exists: of several processes starting at once the first one wins.
    linkSync(temporaryPath, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(temporaryPath, { force: true });
  }
  return new TextEncoder().encode(readFileSync(path, 'utf8'));
}
