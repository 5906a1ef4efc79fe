/** Registers the calls that every entity has, from the declarations. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isCreatable, isReadOnly } from '../../schema/dsl/entity';
import type { ResponseBody } from '../../schema/endpoints/endpoint';
import type { EntityCalls, Tally } from '../../schema/endpoints/entityCalls';
import { readOnReplica, withOptimisticAuth } from '../auth/auth';
import { ApiError } from '../context/errors';
import type { ModelEntity, Routes } from '../context/services';
import { exportParameters, exportRoute } from '../crud/export/exportRoute';
import { readFacets } from '../crud/read/readFacets';
import { groupParameters, readGroups } from '../crud/read/readGroups';
import { readListPage } from '../crud/read/readList';
import { showRow } from '../crud/read/showRow';
import { type BulkRequest, purgeOrRestoreMany, removeMany, updateMany } from '../crud/write/bulkRequest';
import type { StoredResponse } from '../crud/write/idempotency';
import type { WriteRequest } from '../crud/write/inTransaction';
import { previewTargets } from '../crud/write/previewTargets';
import { type RequestBody, readBody } from '../crud/write/requestBody';
import { sendBulkResult } from '../crud/write/sendBulkResult';
import { createSingle, purgeSingle, restoreSingle, trashSingle, updateSingle } from '../crud/write/singleWrites';
import { apiPrefix, idParam, queryStringOf, sendJsonText } from '../http/http';
import { listParameters, rowParameters } from '../http/queryParameters';

const optimistic = { config: { optimisticAuth: true } };

export const entityRoutes: Routes = async (app) => {
  const { services } = app;
  for (const entity of services.model.entities) {
    for (const name of [entity.name, ...entity.alias]) register(entity, `${apiPrefix}/${name}`);
  }

  function register(entity: ModelEntity, path: string): void {
    const writeRequest = (request: FastifyRequest): WriteRequest => ({ services, entity, request });
    const bulkRequest = (request: FastifyRequest): BulkRequest => ({ ...writeRequest(request), body: bodyOf(request) });
    const readConfig = (parameters: readonly string[]) => ({ config: { replica: true, parameters } });
    const listConfig = { optimisticAuth: true, replica: true, parameters: listParameters };
    app.get(path, { config: listConfig }, async (request, reply) => {
      const list = { search: queryStringOf(request), path: `${services.env.publicUrl}${path}` };
      const { body } = await withOptimisticAuth(request, (caller, readServices) =>
        readListPage(readServices, entity, caller, list),
      );
      return sendJsonText(reply, body);
    });
    app.get(`${path}/export`, readConfig(exportParameters), exportRoute(entity));
    if (entity.list.facets.length > 0)
      app.get(
        `${path}/facets`,
        readConfig(listParameters),
        async (request): Promise<ResponseBody<EntityCalls['GET /{resource}/facets']>> => ({
          data: await readOnReplica(request, ({ db }) =>
            readFacets(db, entity, request.caller, queryStringOf(request)),
          ),
        }),
      );
    app.get(`${path}/groups`, readConfig(groupParameters), async (request, reply) => {
      const list = { search: queryStringOf(request), path: `${services.env.publicUrl}${path}/groups` };
      return sendJsonText(
        reply,
        await readOnReplica(request, ({ db }) => readGroups(db, entity, request.caller, list)),
      );
    });
    app.get(`${path}/:id`, { config: { optimisticAuth: true, parameters: rowParameters } }, async (request, reply) => {
      const { data, version } = await showRow(request, entity, queryStringOf(request));
      return sendJsonText(reply.header('ETag', `"${version}"`), `{"data":${data}}`);
    });
    if (isReadOnly(entity)) return;
    if (isCreatable(entity)) {
      app.post(path, optimistic, async (request, reply) =>
        sendResponse(reply, await createSingle(writeRequest(request), await readBody(request, entity))),
      );
    }
    app.route({
      method: ['PUT', 'PATCH'],
      url: `${path}/:id`,
      ...optimistic,
      handler: async (request, reply) => updateOne(request, reply, await readBody(request, entity)),
    });
    app.post(`${path}/patch/:id`, optimistic, async (request, reply) =>
      updateOne(request, reply, await readBody(request, entity)),
    );
    // Browsers can send files only with POST, so the form names the method in `_method`.
    app.post(`${path}/:id`, optimistic, async (request, reply) => {
      const body = await readBody(request, entity);
      if (body.method === 'DELETE') return removeOne(request, reply);
      if (body.method !== 'PUT' && body.method !== 'PATCH') throw ApiError.notFound();
      return updateOne(request, reply, body);
    });
    app.delete(`${path}/:id`, optimistic, removeOne);
    app.post(`${path}/:id/restore`, optimistic, async (request, reply) =>
      sendJsonText(reply, (await restoreSingle(writeRequest(request), idParam(request))).body),
    );
    app.route({
      method: ['PUT', 'PATCH'],
      url: path,
      ...optimistic,
      handler: (request, reply) =>
        sendBulkResult(request, reply, (onProgress) => updateMany({ ...bulkRequest(request), onProgress })),
    });
    app.post(
      `${path}/tally`,
      (request): Promise<Tally> =>
        previewTargets(services.db, { entity, caller: request.caller, body: bodyOf(request) }),
    );
    app.post(`${path}/restore`, optimistic, (request, reply) =>
      sendBulkResult(request, reply, (onProgress) =>
        purgeOrRestoreMany({ ...bulkRequest(request), onProgress, action: 'restore' }),
      ),
    );
    app.delete(path, optimistic, (request, reply) =>
      sendBulkResult(request, reply, (onProgress) => {
        const body = { ...targetsOfQuery(request), ...bodyOf(request) };
        return isPurge(request)
          ? purgeOrRestoreMany({ ...bulkRequest(request), body, onProgress, action: 'remove' })
          : removeMany({ ...bulkRequest(request), body, onProgress });
      }),
    );

    async function updateOne(request: FastifyRequest, reply: FastifyReply, body: RequestBody): Promise<FastifyReply> {
      const { version, ...response } = await updateSingle(writeRequest(request), { id: idParam(request), body });
      if (version !== undefined) reply.header('ETag', `"${version}"`);
      return sendResponse(reply, response);
    }
    async function removeOne(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      await (isPurge(request)
        ? purgeSingle(writeRequest(request), idParam(request))
        : trashSingle(writeRequest(request), idParam(request)));
      return reply.status(204).send();
    }
  }
};

const sendResponse = (reply: FastifyReply, { status, body, headers = {} }: StoredResponse): FastifyReply =>
  status === 204
    ? reply.status(204).headers(headers).send()
    : sendJsonText(reply.status(status).headers(headers), body);

function bodyOf({ body }: FastifyRequest): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw ApiError.malformed();
  return body as Record<string, unknown>;
}

/** Whether the request purges instead of soft-deleting: `?permanent=1`. */
const isPurge = (request: FastifyRequest): boolean =>
  new URLSearchParams(queryStringOf(request)).get('permanent') === '1';

/** Targets from the query string, for clients that cannot send a body with DELETE. */
function targetsOfQuery(request: FastifyRequest): Record<string, unknown> {
  const ids = new URLSearchParams(queryStringOf(request)).get('ids');
  return ids ? { ids } : {};
}
