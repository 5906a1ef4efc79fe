/**
 * `Idempotency-Key`: repeating a creation with the same key returns the first response, however often and on whatever
 * process.
 */
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../context/errors';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';

export interface StoredResponse {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** The key that a request claims, and the fingerprint of its content. */
export interface IdempotencyClaim {
  key: string;
  fingerprint: string;
}

/** Returns the claim of a request; `undefined` without the header. Throws 400 for a key that is too long. */
export function idempotencyClaimOf(request: FastifyRequest, content: unknown): IdempotencyClaim | undefined {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return undefined;
  if (key.length > 255) throw ApiError.malformed();
  const fingerprint = createHash('sha256')
    .update(`${request.method} ${request.url}\n${JSON.stringify(content)}`)
    .digest('hex');
  return { key, fingerprint };
}

/**
 * Claims the key in the transaction of the creation. Returns the earlier response, or `undefined` for the first
 * request. A concurrent identical request waits until the first has ended. Throws 409 for the same key with other
 * content.
 */
export async function claimIdempotencyKey(
  tx: Queries,
  userId: number,
  { key, fingerprint }: IdempotencyClaim,
): Promise<StoredResponse | undefined> {
  const insertedKey = await tx.one(
    sql`insert into idempotency_keys (user_id, key, request)
      values (${userId}, ${key}, ${fingerprint}) on conflict do nothing returning user_id`,
  );
  if (insertedKey) return undefined;
  const earlierRequest = await tx.selectOne(
    { request: pg.text, status: pg.integer, body: pg.text },
    sql`select request, status, body from idempotency_keys where user_id = ${userId} and key = ${key}`,
  );
  if (!earlierRequest || earlierRequest.request !== fingerprint) throw ApiError.conflict('key_reused');
  return { status: earlierRequest.status, body: earlierRequest.body };
}

/** Stores the response with its key, in the transaction of the creation. */
export async function storeIdempotentResponse(
  tx: Queries,
  { userId, key, response }: { userId: number; key: string; response: StoredResponse },
): Promise<void> {
  await tx.rows(
    sql`update idempotency_keys set status = ${response.status}, body = ${response.body} where user_id = ${userId}
      and key = ${key}`,
  );
}

/**
 * Returns the response of the earlier request with the same key, else that of `respond`, which it stores with the key.
 * Without a claim, always calls `respond`.
 */
export async function respondOnce(
  tx: Queries,
  userId: number,
  claim: IdempotencyClaim | undefined,
  respond: () => Promise<StoredResponse>,
): Promise<StoredResponse> {
  const earlierResponse = claim && (await claimIdempotencyKey(tx, userId, claim));
  if (earlierResponse) return earlierResponse;
  const response = await respond();
  if (claim) await storeIdempotentResponse(tx, { userId, key: claim.key, response });
  return response;
}
