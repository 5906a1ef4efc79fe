/**
 * Registers the handler of a declared endpoint. Before the handler runs, session, permission, path, row, query and body
 * are checked, in that order. The compiler checks what the handler returns; `tests/support/apiContract.ts` checks what
 * is sent.
 */
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteShorthandOptions,
} from 'fastify';
import type { Field } from '../../schema/dsl/field';
import { problemsOf } from '../../schema/dsl/rules';
import {
  type EndpointInput,
  type EndpointKey,
  type EndpointResponse,
  type Endpoints,
  endpoints,
} from '../../schema/endpoints';
import type { Endpoint, EndpointMethod, FieldTable, Printable } from '../../schema/endpoints/endpoint';
import { requireVisible } from '../access/scopeWhere';
import { readCaller, readOnReplica, requireInteractiveSession } from '../auth/auth';
import { type Caller, hasSameAccess, requirePermission } from '../context/caller';
import { ApiError } from '../context/errors';
import type { Services } from '../context/services';
import type { Queries } from '../db/core/database';
import { apiPrefix, idParam, queryStringOf, sendJsonText } from '../http/http';
import { dialectParameters } from '../http/queryParameters';
import { readBodyFields } from '../http/readBodyFields';

/** A response that PostgreSQL printed; sent unchanged, never parsed. */
export class JsonText<T> {
  declare readonly response: T;
  constructor(readonly text: string) {}
}

type HandlerResult<K extends EndpointKey> = Endpoints[K] extends { media: string } | { status: 302 }
  ? unknown
  : Endpoints[K] extends { response: unknown }
    ? Printable<EndpointResponse<K>> | JsonText<EndpointResponse<K>>
    : // biome-ignore lint/suspicious/noConfusingVoidType: the handler of a 204 has nothing to return
      void;

/**
 * Runs the write of a call with its current caller. The transaction first loads the caller and repeats the checks of
 * the declaration: 401, 403 or 404 if they now fail, 409 if the caller's access has changed since the handler began.
 */
export type WriteTransaction = <T>(write: (tx: Queries, caller: Caller) => Promise<T>) => Promise<T>;

/** Argument of a handler. Without a session there is no caller, hence no `transaction`. */
type HandlerInput<K extends EndpointKey> = EndpointInput<K> &
  (Endpoints[K] extends { public: true } ? unknown : { transaction: WriteTransaction }) &
  /** Services to read with; their database may be a replica. */
  (Endpoints[K] extends { replica: true } ? { services: Services } : unknown);

export type EndpointHandler<K extends EndpointKey> = (
  input: HandlerInput<K>,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<HandlerResult<K>>;

/** Registers a handler for the endpoint `key`. */
export function serve<K extends EndpointKey>(
  app: FastifyInstance,
  key: K,
  handle: EndpointHandler<K>,
  { config, ...options }: RouteShorthandOptions = {},
): void {
  const endpoint: Endpoint = endpoints[key];
  const [method, path] = key.split(' ') as [EndpointMethod, string];
  const paramNames = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  app.route({
    ...options,
    method,
    url: apiPrefix + path.replace(/\{(\w+)\}/g, ':$1'),
    ...(endpoint.interactive && { onRequest: requireInteractiveSession }),
    config: { ...configOf(endpoint), ...config },
    handler: async (request, reply) => {
      const respond = async (services: Services) => {
        const input = await readInput(request, endpoint, { paramNames, services });
        const transaction = writeTransaction(request, endpoint, input.params.id as number);
        return handle({ ...(input as EndpointInput<K>), transaction, services } as HandlerInput<K>, request, reply);
      };
      const result = await (endpoint.replica ? readOnReplica(request, respond) : respond(app.services));
      if (endpoint.media || endpoint.status === 302) return result;
      reply.status(endpoint.status ?? (endpoint.response ? 200 : 204));
      return result instanceof JsonText ? sendJsonText(reply, result.text) : reply.send(result);
    },
  });
}

/** Route configuration of an endpoint. A public endpoint that declares no parameters accepts any. */
function configOf({ public: isPublic, reads, wall, replica, query, dialect }: Endpoint): FastifyContextConfig {
  const acceptsAny = isPublic && !query && !dialect;
  return {
    public: isPublic,
    reads,
    wall,
    replica,
    ...(!acceptsAny && { parameters: [...dialectParameters(dialect ?? []), ...Object.keys(query ?? {})] }),
  };
}

/**
 * Creates the write transaction of a call, so that rights revoked between the arrival of a request and its write no
 * longer count. Exported for calls that are registered once per entity and have no endpoint of their own. `id` is the
 * id of the row of entity `row`.
 */
export function writeTransaction(
  request: FastifyRequest,
  { permission = [], row }: Pick<Endpoint, 'permission' | 'row'>,
  id?: number,
): WriteTransaction {
  const { caller: cachedCaller } = request;
  const { db, model } = request.server.services;
  return (write) =>
    db.transaction(async (tx) => {
      const caller = await readCaller(tx, request);
      requirePermissions(caller, permission);
      if (row) await requireVisible(tx, model.require(row), caller, id as number);
      if (!hasSameAccess(caller, cachedCaller)) throw ApiError.conflict('rights_changed');
      return write(tx, caller);
    });
}

/** Throws 403 unless the caller has every one of the permissions. */
function requirePermissions(caller: Caller, permission: string | readonly string[]): void {
  for (const code of [permission].flat()) requirePermission(caller, code);
}

/** Checks permission, path, row, query and body, in that order, and returns what the handler gets of them. */
async function readInput(
  request: FastifyRequest,
  { permission = [], params = {}, row, query, body, labels }: Endpoint,
  { paramNames, services: { db, model } }: { paramNames: readonly string[]; services: Services },
) {
  requirePermissions(request.caller, permission);
  const pathTexts = request.params as Record<string, string>;
  const pathParams = Object.fromEntries(
    paramNames.map((name) => [name, params[name] ? pathTexts[name] : idParam(request, name)]),
  );
  if (row) await requireVisible(db, model.require(row), request.caller, pathParams.id as number);
  return {
    params: pathParams,
    query: query && readQuery(request, query, labels),
    body: body && withDefaults(body, await readBodyFields(request, body, labels)),
  };
}

/** Reads the declared parameters. Any others were rejected before, or belong to the list dialect. */
function readQuery(request: FastifyRequest, fields: FieldTable, labels?: string): Record<string, unknown> {
  const search = new URLSearchParams(queryStringOf(request));
  const values = Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
      const text = search.get(name);
      return text ? [[name, parseValue(field, text)]] : [];
    }),
  );
  const problems = problemsOf({ fields }, values, { fields: Object.keys(fields), side: 'server' });
  if (problems.size > 0) throw ApiError.invalid(problems, labels);
  return withDefaults(fields, values);
}

/** Converts the text of a query string by field kind. Text that is no number stays text, which validation rejects. */
function parseValue({ kind }: Field, text: string): unknown {
  if (kind === 'boolean') return { true: true, false: false }[text] ?? text;
  const isNumber = (kind === 'ref' || kind === 'integer' || kind === 'number') && /^-?\d+(\.\d+)?$/.test(text);
  return isNumber ? Number(text) : text;
}

const withDefaults = (fields: FieldTable, values: Record<string, unknown>): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
  ),
  ...values,
});
