/** Authentication hooks, and how reads and writes obtain the current caller. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, withLanguage, withTimeZone } from '../context/caller';
import { ApiError } from '../context/errors';
import type { Services } from '../context/services';
import type { Queries } from '../db/core/database';
import { denyWritesWhileImpersonating } from './impersonation';
import { recordUse } from './lastUsed';
import { cachedCaller, loadCaller, loadSession } from './loadCaller';
import { tokenHashOf } from './secrets';

/** Hook before every call: 401 without a valid session, unless the route is public or does not exist. */
export function authenticate(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const needsNoSession = request.is404 || request.routeOptions.config.public;
  const hash = !needsNoSession && isVerifiedLater(request) ? tokenHashOf(request) : undefined;
  const caller = hash && cachedCaller(request.server.services.db, hash);
  const usableCaller = caller && (caller.impersonatedBy !== undefined || caller.isWall) ? undefined : caller;
  if (usableCaller) acceptCaller(request, usableCaller);
  if (needsNoSession || usableCaller) done();
  else identify(request).then(() => done(), done);
}

/**
 * Hook before the handler of a call with a body: authenticates again, because the body may end long after the headers.
 */
export function authenticateAgain(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { public: isPublic, optimisticAuth } = request.routeOptions.config;
  if (request.is404 || isPublic || optimisticAuth || !hasBody(request)) done();
  else identify(request).then(() => done(), done);
}

/**
 * Whether the caller is verified again before the call grants anything, so that a cached caller suffices until then.
 */
const isVerifiedLater = (request: FastifyRequest): boolean =>
  (request.routeOptions.config.optimisticAuth === true && !mayReadReplica(request)) || hasBody(request);

/**
 * Whether a replica may serve the request. The session is then read from the primary first, because a replica may not
 * know yet that the session has ended.
 */
const mayReadReplica = ({ routeOptions, server }: FastifyRequest): boolean =>
  routeOptions.config.replica === true && server.services.db.replicas !== undefined;

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Loads the session and accepts its caller. Throws 401 without a valid session. */
async function identify(request: FastifyRequest): Promise<void> {
  const hash = tokenHashOf(request);
  const session = hash && (await loadSession(request.server.services.db, hash));
  if (!session) throw ApiError.unauthenticated();
  request.logPosition = session.position;
  acceptCaller(request, session.caller);
}

/** Sets the caller of a request. Throws 403 for writes while impersonating, and for calls that a wall may not make. */
function acceptCaller(request: FastifyRequest, caller: Caller): void {
  recordUse(request.server.services.db, caller, request.address);
  request.caller = withPageContext(request, caller);
  denyWritesWhileImpersonating(request);
  if (caller.isWall && !request.routeOptions.config.wall) throw ApiError.forbidden();
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
    caller && (caller.tokenId !== undefined || caller.impersonatedBy !== undefined) ? ApiError.forbidden() : undefined,
  );
}

/**
 * Runs the read of a route with `config: { replica: true }` on a replica that has replayed every commit made before the
 * request arrived; on the primary if no replica has, or if the replica fails. `read` may run twice, so it must have no
 * side effects, and it must use the services passed to it.
 */
export async function readOnReplica<T>(request: FastifyRequest, read: (services: Services) => Promise<T>): Promise<T> {
  const replicaResult = await tryReplica(request, read);
  return replicaResult ? replicaResult.value : read(request.server.services);
}

async function tryReplica<T>(
  { logPosition, routeOptions, server: { services } }: FastifyRequest,
  read: (services: Services) => Promise<T>,
): Promise<{ value: T } | undefined> {
  if (!logPosition || !routeOptions.config.replica) return undefined;
  return services.db.replicas?.tryRead(logPosition, (db) => read({ ...services, db }));
}

/**
 * Runs a read with the cached caller; the statement of the read must also read the access version. If it equals that of
 * the caller, nothing has changed what the caller may do, and a statement is saved. Otherwise loads the caller and runs
 * the read again. `read` must have no side effects and must use the services passed to it, whose database may be a
 * replica.
 */
export async function withOptimisticAuth<T extends { access: number }>(
  request: FastifyRequest,
  read: (caller: Caller, services: Services) => Promise<T>,
): Promise<T> {
  const { caller, server } = request;
  const replicaResult = await tryReplica(request, (services) => read(caller, services));
  if (replicaResult?.value.access === caller.accessVersion) return replicaResult.value;
  const { services } = server;
  const result = await read(caller, services).catch((error: unknown) => ({ error }));
  if (!('error' in result) && result.access === caller.accessVersion) return result;
  await identify(request);
  if ('error' in result && request.caller.accessVersion === caller.accessVersion) throw result.error;
  return read(request.caller, services);
}

/**
 * Loads the caller inside the transaction of a write. Must be its first statement: the transaction then sees all access
 * revoked before it, and need not compare versions or retry. Throws 401 if the session has ended.
 */
export async function readCaller(tx: Queries, request: FastifyRequest): Promise<Caller> {
  const hash = tokenHashOf(request);
  const caller = hash && (await loadCaller(request.server.services.db, hash, tx));
  if (!caller) throw ApiError.unauthenticated();
  request.caller = withPageContext(request, caller);
  return request.caller;
}
