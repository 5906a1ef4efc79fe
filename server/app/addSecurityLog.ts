/**
 * Security log: one JSON line on standard output per security event, independent of `LOG_LEVEL`. Lines have `log:
 * "security"`, a stable `event`, `outcome`, `actor` (user id, or null), `address`, `request` (method and route) and, if
 * applicable, `email` of a log-in and `target` (id of the row). Never logs a secret: of a body, only the id lists named
 * in `loggedLists` are written.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SecurityEvent } from '../context/securityEvents';
import { apiPrefix, jsonServerPrefix } from '../http/http';
import { createBurstCounter } from '../shared/createBurstCounter';

interface WatchedCall {
  event: SecurityEvent;
  /** Event to log for a response with this status, in place of `event`. */
  byStatus?: Readonly<Record<number, SecurityEvent>>;
  /** Also logs failed calls, for calls that check a secret. */
  logsFailures?: boolean;
  /** Logs the call only if its body has one of these fields. */
  fields?: readonly string[];
}

const login: WatchedCall = { event: 'login', byStatus: { 429: 'login_locked' }, logsFailures: true };
const secondFactor: WatchedCall = { event: 'second_factor_changed', logsFailures: true };
const roleChange: WatchedCall = { event: 'role_changed' };
const userChange: WatchedCall = {
  event: 'user_rights_changed',
  fields: ['role_ids', 'client_id', 'client_ids', 'country_ids', 'fleet_ids', 'location_ids', 'machine_ids'],
};

/** Calls that change who may do what, by method and path below `apiPrefix` or `jsonServerPrefix`. */
const watchedCalls: Readonly<Record<string, WatchedCall>> = {
  'POST /login': login,
  'POST /login/second-factor': login,
  'POST /login/oidc': login,
  'POST /users/logout': { event: 'logout' },
  'POST /users/forgotPassword': { event: 'password_reset_requested' },
  'POST /users/verifyResetPassword': { event: 'password_changed', logsFailures: true },
  'POST /users/:id/password': { event: 'password_changed', logsFailures: true },
  'POST /account/second-factor': secondFactor,
  'POST /account/second-factor/confirm': secondFactor,
  'POST /account/second-factor/recovery-codes': secondFactor,
  'POST /account/second-factor/off': secondFactor,
  'DELETE /users/:id/second-factor': secondFactor,
  'POST /account/tokens': { event: 'token_created' },
  'DELETE /account/tokens/:id': { event: 'token_revoked' },
  'POST /account/walls': { event: 'token_created' },
  'DELETE /account/walls/:id': { event: 'token_revoked' },
  'DELETE /account/sessions': { event: 'sessions_ended' },
  'DELETE /account/sessions/:id': { event: 'sessions_ended' },
  'DELETE /users/:id/sessions': { event: 'sessions_ended' },
  'POST /users/:id/impersonate': { event: 'impersonation_started' },
  'POST /trackers/:id/secret': { event: 'secret_created' },
  'POST /integrations/:id/secret': { event: 'secret_created' },
  'POST /alert_rules/:id/secret': { event: 'secret_created' },
  'POST /invitations/accept': { event: 'user_created' },
  'POST /account/delete': { event: 'user_deleted' },
  'POST /roles/:id/users': roleChange,
  'POST /roles/:id/replace': roleChange,
  ...writesOf('roles', { create: roleChange, edit: roleChange, remove: roleChange }),
  ...writesOf('permissions', { create: roleChange, edit: roleChange, remove: roleChange }),
  ...writesOf('users', { create: { event: 'user_created' }, edit: userChange, remove: { event: 'user_deleted' } }),
};

/** Every call that writes rows of a resource. */
function writesOf(
  resource: string,
  { create, edit, remove }: Record<'create' | 'edit' | 'remove', WatchedCall>,
): Record<string, WatchedCall> {
  const [rows, row] = [`/${resource}`, `/${resource}/:id`];
  return {
    [`POST ${rows}`]: create,
    [`PUT ${rows}`]: edit,
    [`PATCH ${rows}`]: edit,
    [`PUT ${row}`]: edit,
    [`PATCH ${row}`]: edit,
    [`POST ${row}`]: edit,
    [`POST /${resource}/patch/:id`]: edit,
    [`DELETE ${rows}`]: remove,
    [`DELETE ${row}`]: remove,
  };
}

/** Fields of a body whose lists of ids say what a change grants. */
const loggedLists = ['role_ids', 'permission_ids', 'ids', 'user_ids'];
/** Number of 403 responses to one caller within these seconds that count as a burst; each burst gets one line. */
const burst = { count: 10, seconds: 60 };

/** Adds the hook that writes the log. */
export function addSecurityLog(app: FastifyInstance, write: (line: string) => void): void {
  const refusals = createBurstCounter(burst);
  app.addHook('onResponse', (request, reply, done) => {
    const event = eventOf(request, reply.statusCode);
    if (event) write(lineOf(request, reply, event));
    if (reply.statusCode === 403 && refusals.add(`${request.caller?.userId ?? ''} ${request.address}`))
      write(lineOf(request, reply, { event: 'access_denied_burst', count: burst.count }));
    done();
  });
}

interface LoggedEvent {
  event: SecurityEvent;
  count?: number;
}

function eventOf(request: FastifyRequest, status: number): LoggedEvent | undefined {
  const { body } = request;
  const call = watchedCallOf(request);
  // A Precognition request only validates and changes nothing.
  if (!call || request.headers.precognition === 'true' || status >= 500) return undefined;
  const event = call.byStatus?.[status];
  if (event) return { event };
  if (status >= 400) return call.logsFailures ? { event: call.event } : undefined;
  const { fields } = call;
  return fields && !fields.some((field) => Object.hasOwn(sentFields(body), field)) ? undefined : { event: call.event };
}

/** The watched call that a request makes. A form of one row may name its method in `_method` (`readBody`). */
function watchedCallOf({ method, routeOptions: { url = '' }, body }: FastifyRequest): WatchedCall | undefined {
  const path = url.slice((url.startsWith(jsonServerPrefix) ? jsonServerPrefix : apiPrefix).length);
  const formMethod = method === 'POST' && path.endsWith('/:id') && isObject(body) ? body._method : undefined;
  return watchedCalls[`${formMethod} ${path}`] ?? watchedCalls[`${method} ${path}`];
}

/**
 * Fields of a body, and in a bulk edit of its patches: of `data`, `add` and `remove`, and of each of `changes`, whose
 * ids are in `ids`.
 */
function sentFields(body: unknown): Record<string, unknown> {
  if (!isObject(body)) return {};
  const { data, add, remove, changes } = body;
  const rowPatches = Array.isArray(changes) ? changes.filter(isObject) : [];
  const patches = [data, add, remove, ...rowPatches.map((patch) => patch.data)].filter(isObject);
  return Object.assign({}, body, ...patches, rowPatches.length > 0 && { ids: rowPatches.map(({ id }) => id) });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function lineOf(request: FastifyRequest, reply: FastifyReply, { event, count }: LoggedEvent): string {
  const { method, routeOptions, params, caller, accountId, address, body } = request;
  const fields = sentFields(body);
  const { id } = params as { id?: string };
  const isLogin = event === 'login' || event === 'login_locked' || event === 'password_reset_requested';
  return JSON.stringify({
    log: 'security',
    time: new Date().toISOString(),
    event,
    outcome: reply.statusCode < 400 ? 'ok' : 'failed',
    status: reply.statusCode,
    actor: caller?.userId ?? (accountId || null),
    ...(caller?.impersonatedBy !== undefined && { impersonated_by: caller.impersonatedBy }),
    ...(caller?.tokenId !== undefined && { token: caller.tokenId }),
    address,
    ...(isLogin && typeof fields.email === 'string' && { email: fields.email.slice(0, 254) }),
    ...(id !== undefined && { target: Number(id) }),
    ...Object.fromEntries(loggedLists.filter((name) => isIdList(fields[name])).map((name) => [name, fields[name]])),
    ...(count !== undefined && { count }),
    request: `${method} ${routeOptions.url ?? 'none'}`,
    id: request.id,
  });
}

const isIdList = (value: unknown): boolean => Array.isArray(value) && value.every((id) => Number.isInteger(Number(id)));
