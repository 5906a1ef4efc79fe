/** One row for a request: who may see it, and what the entity adds to it on its page. */
import type { FastifyRequest } from 'fastify';
import type { Entity } from '../../../schema/dsl/entity';
import { hooksOf } from '../../access/entityModel';
import { withOptimisticAuth } from '../../auth/auth';
import { requirePermission } from '../../context/caller';
import { idParam } from '../../http/http';
import { type RowResult, readRow, withExtraFields } from './list';

/** The row that the path of the request names, with the includes of `search`; 404 when it does not exist for them. */
export async function showRow(request: FastifyRequest, entity: Entity, search: string): Promise<RowResult> {
  const { services } = request.server;
  const id = idParam(request);
  const { data, version } = await withOptimisticAuth(request, async (caller) => {
    const viewer = hooksOf(entity).viewer?.(caller);
    if (!viewer) requirePermission(caller, `${entity.name}.show`);
    return readRow(services.db, entity, viewer ?? caller, { id, search });
  });
  const more = await hooksOf(entity).shown?.(services, request.caller, id);
  return { data: more ? withExtraFields(data, more) : data, version };
}
