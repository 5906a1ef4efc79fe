/** Authentication hooks, and how reads and writes obtain the current caller. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, withLanguage, withTimeZone } from '../context/caller';
import { ApiError } from '../context/errors';
import type { Queries } from '../db/core/database';
import { denyWritesWhileImpersonating } from './impersonation';
import { recordUse } from './lastUsed';
import { cachedCaller, loadCaller } from './loadCaller';
import { tokenHashOf } from './secrets';

/** Hook before every call: 401 without a valid session, unless the route is public or does not exist. */
export function authenticate(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const isOpen = request.is404 || request.routeOptions.config.public;
  const hash = !isOpen && isVerifiedLater(request) ? tokenHashOf(request) : undefined;
  const recent = hash && cachedCaller(request.server.services.db, hash);
  const cached = recent && (recent.impersonatedBy !== undefined || recent.isWall) ? undefined : recent;
  if (cached) acceptCaller(request, cached);
  if (isOpen || cached) done();
  else identify(request).then(() => done(), done);
}

/** Hook before the handler of a call with a body, which may arrive long after its head: authenticates again. */
export function authenticateAgain(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { public: isPublic, optimisticAuth } = request.routeOptions.config;
  if (request.is404 || isPublic || optimisticAuth || !hasBody(request)) done();
  else identify(request).then(() => done(), done);
}

/** The caller is verified later, before anything is granted; a cached caller suffices until then. */
const isVerifiedLater = (request: FastifyRequest): boolean =>
  request.routeOptions.config.optimisticAuth === true || hasBody(request);

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

async function identify(request: FastifyRequest): Promise<void> {
  const hash = tokenHashOf(request);
  const caller = hash && (await loadCaller(request.server.services.db, hash));
  if (!caller) throw ApiError.unauthenticated();
  acceptCaller(request, caller);
}

function acceptCaller(request: FastifyRequest, caller: Caller): void {
  recordUse(request.server.services.db, caller, request.address);
  request.caller = withPageContext(request, caller);
  denyWritesWhileImpersonating(request);
  if (caller.isWall && !request.routeOptions.config.wall) throw ApiError.unauthorized();
}

/** The caller with time zone and language of the requesting page. */
const withPageContext = ({ headers }: FastifyRequest, caller: Caller): Caller =>
  withLanguage(withTimeZone(caller, headers['time-zone']), headers['page-language']);

/** Hook for calls on one's own account: rejects API tokens and impersonation. */
export function requireInteractiveSession(
  { caller }: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  done(
    caller && (caller.tokenId !== undefined || caller.impersonatedBy !== undefined)
      ? ApiError.unauthorized()
      : undefined,
  );
}

/**
 * Runs a read with the cached caller; its statement must also read the access version. If that equals the caller's,
 * nothing changed what they may do, and a statement is saved. Otherwise loads the caller and runs the read again.
 * `read` must have no effects.
 */
export async function withOptimisticAuth<T extends { access: number }>(
  request: FastifyRequest,
  read: (caller: Caller) => Promise<T>,
): Promise<T> {
  const { caller } = request;
  const outcome = await read(caller).catch((error: unknown) => ({ error }));
  if (!('error' in outcome) && outcome.access === caller.accessVersion) return outcome;
  await identify(request);
  if ('error' in outcome && request.caller.accessVersion === caller.accessVersion) throw outcome.error;
  return read(request.caller);
}

/**
 * Loads the caller inside the transaction of a write. Must be its first statement: access revoked before is then gone,
 * and nothing is compared or retried. Throws 401 if the session has ended.
 */
export async function readCaller(tx: Queries, request: FastifyRequest): Promise<Caller> {
  const hash = tokenHashOf(request);
  const caller = hash && (await loadCaller(request.server.services.db, hash, tx));
  if (!caller) throw ApiError.unauthenticated();
  request.caller = withPageContext(request, caller);
  return request.caller;
}
