/** Rate limit of calls, per user if known, else per address. Each process counts for itself, minute by minute. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../context/errors';
import { cachedCaller } from './loadCaller';
import { tokenHashOf } from './secrets';

/** Calls per minute: far above what people and well-behaved programs need. */
export const callsPerMinute = 6000;
/** Window of the limit, in milliseconds. */
const windowLength = 60_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Exempt from the limit. For devices: a proxy may put many of them behind one address. */
    unlimited?: boolean;
  }
}

/** Creates the hook that counts calls; one per application. */
export function createRateLimitHook(limit = callsPerMinute, now = Date.now) {
  let windowStart = 0;
  let counts = new Map<string, number>();

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: ApiError) => void): void => {
    done(request.routeOptions.config.unlimited ? undefined : countCall(request, reply));
  };

  function countCall(request: FastifyRequest, reply: FastifyReply): ApiError | undefined {
    const calledAt = now();
    if (calledAt - windowStart >= windowLength) {
      windowStart = calledAt;
      counts = new Map();
    }
    const key = rateLimitKey(request);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    reply.header('X-RateLimit-Limit', limit).header('X-RateLimit-Remaining', Math.max(0, limit - count));
    return count > limit ? ApiError.tooMany((windowStart + windowLength - calledAt) / 1000) : undefined;
  }
}

/**
 * Whom a call counts against: its user, or, for an unknown token, its address, so that guessing tokens is limited too.
 */
function rateLimitKey(request: FastifyRequest): string {
  const hash = tokenHashOf(request);
  const caller = hash && cachedCaller(request.server.services.db, hash);
  return caller ? `user ${caller.userId}` : `address ${request.address}`;
}
