/** Generates and hashes tokens, and reads them from requests. */
import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** SHA-256 of the request's bearer token, if any. */
export function tokenHashOf({ headers }: FastifyRequest): Buffer | undefined {
  const token = /^Bearer +([A-Za-z0-9_-]{20,200})$/i.exec(headers.authorization ?? '')?.[1];
  return token === undefined ? undefined : sha256(token);
}

/** Key of a token for `loadCallers`. */
export const tokenKey = (tokenHash: Buffer): string => tokenHash.toString('base64');

/** SHA-256 of the UTF-8 bytes of a secret. */
export const sha256 = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** A random secret, safe in URLs. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');
