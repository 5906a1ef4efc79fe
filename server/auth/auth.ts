/** Who calls: the hooks that authenticate a request, and reads and writes as the caller of now. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, withLanguage, withTimeZone } from '../context/caller';
import { ApiError } from '../context/errors';
import type { Queries } from '../db/core/database';
import { denyWritesWhileImpersonating } from './impersonation';
import { recordUse } from './lastUsed';
import { cachedCaller, loadCaller } from './loadCaller';
import { tokenHashOf } from './secrets';

/**
 * The hook before every call: refuses with 401 whoever has no living session, unless the route is public or does not
 * exist.
 */
export function authenticate(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const isOpen = request.is404 || request.routeOptions.config.public;
  const hash = !isOpen && isAskedLater(request) ? tokenHashOf(request) : undefined;
  const recent = hash && cachedCaller(request.server.services.db, hash);
  const known = recent?.impersonatedBy === undefined ? recent : undefined;
  if (known) welcome(request, known);
  if (isOpen || known) done();
  else identify(request).then(() => done(), done);
}

/**
 * The hook before the handler of a call with a body, which may have come long after its head: what was taken away
 * meanwhile is gone.
 */
export function authenticateAgain(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { public: isPublic, proves } = request.routeOptions.config;
  if (request.is404 || isPublic || proves || !hasBody(request)) done();
  else identify(request).then(() => done(), done);
}

/**
 * Whether the caller is asked for once more before anything is granted, so that whoever was seen lately is let through
 * until then.
 */
const isAskedLater = (request: FastifyRequest): boolean =>
  request.routeOptions.config.proves === true || hasBody(request);

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

async function identify(request: FastifyRequest): Promise<void> {
  const hash = tokenHashOf(request);
  const caller = hash && (await loadCaller(request.server.services.db, hash));
  if (!caller) throw ApiError.unauthenticated();
  welcome(request, caller);
}

function welcome(request: FastifyRequest, caller: Caller): void {
  recordUse(request.server.services.db, caller, request.ip);
  request.caller = addressed(request, caller);
  denyWritesWhileImpersonating(request);
}

/** The caller reading in the zone and language of the page that they are on. */
const addressed = ({ headers }: FastifyRequest, caller: Caller): Caller =>
  withLanguage(withTimeZone(caller, headers['time-zone']), headers['page-language']);

/**
 * A hook for calls that only the person may make who signed in: neither an API token nor who acts as them gets at their
 * account.
 */
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
 * A read whose own statement reads the access version: when it is the one the caller was remembered with, nothing has
 * changed what they may do, and asking for them beforehand would only have cost a statement. Otherwise the caller is
 * asked for and the read done again as who they are now.
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
 * The caller of a write as of its transaction, of which this has to be the first statement: what was taken away before
 * it began is gone, and nothing is compared or tried again. 401 once the session has ended.
 */
export async function readCaller(tx: Queries, request: FastifyRequest): Promise<Caller> {
  const hash = tokenHashOf(request);
  const caller = hash && (await loadCaller(request.server.services.db, hash, tx));
  if (!caller) throw ApiError.unauthenticated();
  request.caller = addressed(request, caller);
  return request.caller;
}
