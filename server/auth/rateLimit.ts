/** How often somebody may call: by user where one is known, else by address. Counted per process and minute. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../context/errors';
import { cachedCaller } from './loadCaller';
import { tokenHashOf } from './secrets';

/** Calls per minute: far above what people and honest programs need. */
export const callsPerMinute = 6000;
const minute = 60_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Not counted: devices, which a proxy may gather behind one address. */
    unlimited?: boolean;
  }
}

/** The hook that counts; one per application. */
export function limiter(limit = callsPerMinute, now = Date.now) {
  let began = 0;
  let counts = new Map<string, number>();

  return (request: FastifyRequest, reply: FastifyReply, done: (refused?: ApiError) => void): void => {
    done(request.routeOptions.config.unlimited ? undefined : counted(request, reply));
  };

  function counted(request: FastifyRequest, reply: FastifyReply): ApiError | undefined {
    const at = now();
    if (at - began >= minute) {
      began = at;
      counts = new Map();
    }
    const key = whoCalls(request);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    reply.header('X-RateLimit-Limit', limit).header('X-RateLimit-Remaining', Math.max(0, limit - count));
    return count > limit ? ApiError.tooMany((began + minute - at) / 1000) : undefined;
  }
}

/** Tokens that nobody has seen count for their address, or guessing them would be free. */
function whoCalls(request: FastifyRequest): string {
  const hash = tokenHashOf(request);
  const caller = hash && cachedCaller(request.server.services.db, hash);
  return caller ? `user ${caller.userId}` : `address ${request.ip}`;
}
