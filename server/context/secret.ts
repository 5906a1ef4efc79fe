/**
 * The server's own secret: made at the first start and kept where only its user can read it, or given by the
 * environment.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from './env';

/** The key that signs user tokens. */
export function signingKey({ secret, dataDir }: Pick<Env, 'secret' | 'dataDir'>): Uint8Array {
  if (secret) return new TextEncoder().encode(secret);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'secret');
  const beginning = `${path}.${process.pid}`;
  writeFileSync(beginning, randomBytes(48).toString('base64url'), { mode: 0o600 });
  try {
    // Only the first of several processes puts its own in place.
    linkSync(beginning, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(beginning, { force: true });
  }
  return new TextEncoder().encode(readFileSync(path, 'utf8'));
}
