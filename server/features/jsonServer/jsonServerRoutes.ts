/**
 * `/api/json-server/v1/{resource}`: every entity for json-server clients, such as a stock react-admin app. Translates
 * the dialect only: permissions, validation and limits are those of `/api/v1`, by the same functions.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isCreatable, isReadOnly } from '../../../schema/dsl/entity';
import { withOptimisticAuth } from '../../auth/auth';
import { type Caller, requirePermission } from '../../context/caller';
import type { ModelEntity, Routes, Services } from '../../context/services';
import { type ListRowsResult, readListRows } from '../../crud/read/readList';
import { showRow } from '../../crud/read/showRow';
import type { StoredResponse } from '../../crud/write/idempotency';
import { readBody } from '../../crud/write/requestBody';
import { createSingle, trashSingle, updateSingle } from '../../crud/write/singleWrites';
import { idParam, jsonServerPrefix, queryStringOf, sendJsonText } from '../../http/http';
import { readJsonServerListQuery, readJsonServerRowQuery, requireNoParameters } from './jsonServerQuery';

const optimisticOptions = { config: { optimisticAuth: true } };

export const jsonServerRoutes: Routes = async (app) => {
  for (const entity of app.services.model.entities)
    for (const name of [entity.name, ...entity.alias]) addEntityRoutes(app, entity, `${jsonServerPrefix}/${name}`);
};

function addEntityRoutes(app: FastifyInstance, entity: ModelEntity, path: string): void {
  const { services } = app;
  app.get(path, { config: { optimisticAuth: true, replica: true } }, async (request, reply) => {
    const search = queryStringOf(request);
    const { data, total } = await withOptimisticAuth(request, (caller, source) =>
      readWindow(source, entity, caller, search),
    );
    return sendJsonText(reply.header('X-Total-Count', total), data);
  });
  app.get(`${path}/:id`, optimisticOptions, async (request, reply) => {
    const { data, version } = await showRow(request, entity, readJsonServerRowQuery(queryStringOf(request)));
    return sendJsonText(reply.header('ETag', `"${version}"`), data);
  });
  if (isReadOnly(entity)) return;
  if (isCreatable(entity))
    app.post(path, optimisticOptions, async (request, reply) => {
      requireNoParameters(queryStringOf(request));
      return sendRow(reply, await createSingle({ services, entity, request }, await readBody(request, entity)));
    });
  app.route({
    method: ['PUT', 'PATCH'],
    url: `${path}/:id`,
    ...optimisticOptions,
    handler: async (request, reply) => {
      requireNoParameters(queryStringOf(request));
      const body = await readBody(request, entity);
      const { version, ...response } = await updateSingle(
        { services, entity, request },
        { id: idParam(request), body },
      );
      if (version !== undefined) reply.header('ETag', `"${version}"`);
      return sendRow(reply, response);
    },
  });
  app.delete(`${path}/:id`, optimisticOptions, async (request) => {
    requireNoParameters(queryStringOf(request));
    const id = idParam(request);
    await trashSingle({ services, entity, request }, id);
    // Clients read the id of a deleted row from the body and cannot parse an empty one.
    return { id };
  });
}

/** Reads the rows of the requested window, which need not be a page of the list dialect. */
async function readWindow(
  services: Services,
  entity: ModelEntity,
  caller: Caller,
  search: string,
): Promise<Pick<ListRowsResult, 'data' | 'total' | 'access'>> {
  // Checked before the query: errors must not reveal fields to callers without permission to list.
  requirePermission(caller, `${entity.name}.list`);
  const { pages, slice } = readJsonServerListQuery(entity, caller, search);
  const [firstPage, ...otherPages] = await Promise.all(
    pages.map((page) => readListRows(services, entity, caller, { search: page })),
  );
  const { data, total, access } = firstPage as ListRowsResult;
  if (!slice) return { data, total, access };
  const rows = [data, ...otherPages.map((other) => other.data)].flatMap(
    (text) => JSON.parse(text.toString()) as unknown[],
  );
  return {
    data: Buffer.from(JSON.stringify(rows.slice(...slice))),
    total,
    // If pages were read at different access versions, NaN makes `withOptimisticAuth` read them again.
    access: otherPages.every((other) => other.access === access) ? access : Number.NaN,
  };
}

/** Sends the row of a response `{"data": row}`, because the body of json-server is the row itself. */
function sendRow(reply: FastifyReply, { status, body, headers = {} }: StoredResponse): FastifyReply {
  reply.status(status).headers(headers);
  return status === 204 ? reply.send() : sendJsonText(reply, body.slice('{"data":'.length, -1));
}
