/** The calls that every entity has, registered from the declarations. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Entity, isCreatable, isReadOnly } from '../../../schema/dsl/entity';
import { entityServers } from '../../entities/index';
import type { Routes } from '../../services';
import { proven } from '../auth';
import { may } from '../caller';
import { Refusal } from '../errors';
import { base, idOf, json, searchOf } from '../http';
import { knowEntities, knowServers, serverOf } from '../model';
import { listParameters, rowParameters } from '../queryParameters';
import { readBody, type Sent } from './body';
import { emptyBin, type Many, removeMany, updateMany } from './bulk';
import { type Call, create, purge, remove, restore, update } from './change';
import { exportParameters, exportRoute } from './export';
import { facetsOf } from './facets';
import type { Answer } from './idempotency';
import { listPage, rowAnswer, withMore } from './list';
import { tallyOf } from './tally';
import { answering } from './told';

const proving = { config: { proves: true } };

export const entityRoutes: Routes = async (app) => {
  const { services } = app;
  knowEntities(services.entities);
  knowServers(entityServers);
  for (const entity of services.entities) {
    for (const name of [entity.name, ...entity.alias]) register(entity, `${base}/${name}`);
  }

  function register(entity: Entity, path: string): void {
    const call = (request: FastifyRequest): Call => ({ services, entity, request });
    const many = (request: FastifyRequest): Many => ({ ...call(request), asked: bodyOf(request) });
    app.get(path, { config: { proves: true, parameters: listParameters } }, async (request, reply) => {
      const asked = { search: searchOf(request), path: `${services.env.publicUrl}${path}` };
      return json(reply, (await proven(request, (caller) => listPage(services, entity, caller, asked))).body);
    });
    app.get(`${path}/export`, { config: { parameters: exportParameters } }, exportRoute(entity));
    if (entity.list.facets.length > 0)
      app.get(`${path}/facets`, { config: { parameters: listParameters } }, async (request) => ({
        data: await facetsOf(services.db, entity, request.caller, searchOf(request)),
      }));
    app.get(`${path}/:id`, { config: { proves: true, parameters: rowParameters } }, async (request, reply) => {
      const { data, version } = await proven(request, async (caller) => {
        const viewer = serverOf(entity).viewer?.(caller);
        if (!viewer) may(caller, `${entity.name}.show`);
        return rowAnswer(services.db, entity, viewer ?? caller, { id: idOf(request), search: searchOf(request) });
      });
      const more = await serverOf(entity).shown?.(services, request.caller, idOf(request));
      return json(reply.header('ETag', `"${version}"`), `{"data":${more ? withMore(data, more) : data}}`);
    });
    if (isReadOnly(entity)) return;
    if (isCreatable(entity)) {
      app.post(path, proving, async (request, reply) => answered(reply, await create(call(request), await readBody(request, entity))));
    }
    app.route({
      method: ['PUT', 'PATCH'],
      url: `${path}/:id`,
      ...proving,
      handler: async (request, reply) => changed(request, reply, await readBody(request, entity)),
    });
    app.post(`${path}/patch/:id`, proving, async (request, reply) => changed(request, reply, await readBody(request, entity)));
    // Browsers can only POST files: the form says in `_method` what it means.
    app.post(`${path}/:id`, proving, async (request, reply) => {
      const sent = await readBody(request, entity);
      if (sent.method === 'DELETE') return removed(request, reply);
      if (sent.method !== 'PUT' && sent.method !== 'PATCH') throw Refusal.notFound();
      return changed(request, reply, sent);
    });
    app.delete(`${path}/:id`, proving, removed);
    app.post(`${path}/:id/restore`, proving, async (request, reply) => json(reply, (await restore(call(request), idOf(request))).body));
    app.route({
      method: ['PUT', 'PATCH'],
      url: path,
      ...proving,
      handler: (request, reply) => answering(request, reply, (told) => updateMany({ ...many(request), told })),
    });
    app.post(`${path}/tally`, async (request) => tallyOf(services.db, { entity, caller: request.caller, asked: bodyOf(request) }));
    app.post(`${path}/restore`, proving, (request, reply) => answering(request, reply, (told) => emptyBin({ ...many(request), told, how: 'restore' })));
    app.delete(path, proving, (request, reply) =>
      answering(request, reply, (told) => {
        const asked = { ...askedByQuery(request), ...bodyOf(request) };
        return isForGood(request) ? emptyBin({ ...many(request), asked, told, how: 'remove' }) : removeMany({ ...many(request), asked, told });
      }),
    );

    async function changed(request: FastifyRequest, reply: FastifyReply, sent: Sent): Promise<FastifyReply> {
      const { version, ...answer } = await update(call(request), { id: idOf(request), sent });
      if (version !== undefined) reply.header('ETag', `"${version}"`);
      return answered(reply, answer);
    }
    async function removed(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      await (isForGood(request) ? purge(call(request), idOf(request)) : remove(call(request), idOf(request)));
      return reply.status(204).send();
    }
  }
};

const answered = (reply: FastifyReply, { status, body, headers = {} }: Answer): FastifyReply =>
  status === 204 ? reply.status(204).headers(headers).send() : json(reply.status(status).headers(headers), body);

function bodyOf({ body }: FastifyRequest): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw Refusal.malformed();
  return body as Record<string, unknown>;
}

/** `?permanent=1`: not to the bin, but out of it. */
const isForGood = (request: FastifyRequest): boolean => new URLSearchParams(searchOf(request)).get('permanent') === '1';

/** Clients that cannot send a body with DELETE name the ids in the query. */
function askedByQuery(request: FastifyRequest): Record<string, unknown> {
  const ids = new URLSearchParams(searchOf(request)).get('ids');
  return ids ? { ids } : {};
}
