/** Reads one row for a request: checks permission and scope, and adds what the entity shows on its page only. */
import type { FastifyRequest } from 'fastify';
import { withOptimisticAuth } from '../../auth/auth';
import { requirePermission } from '../../context/caller';
import type { ModelEntity } from '../../context/services';
import { idParam } from '../../http/http';
import { type RowResult, readRow, withExtraFields } from './readList';

/** Returns the row named by the path, with the includes of `search`. Throws 404 if it is not visible to the caller. */
export async function showRow(request: FastifyRequest, entity: ModelEntity, search: string): Promise<RowResult> {
  const { services } = request.server;
  const id = idParam(request);
  const { data, version } = await withOptimisticAuth(request, async (caller) => {
    const viewer = entity.hooks.viewer?.(caller);
    if (!viewer) requirePermission(caller, `${entity.name}.show`);
    return readRow(services.db, entity, viewer ?? caller, { id, search });
  });
  const extraFields = await entity.hooks.extraFields?.(services, request.caller, id);
  return { data: extraFields ? withExtraFields(data, extraFields) : data, version };
}
