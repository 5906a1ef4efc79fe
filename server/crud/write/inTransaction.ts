/** Transaction of a write: reads the caller inside, and turns key violations into errors of the API. */
import type { FastifyRequest } from 'fastify';
import { readCaller } from '../../auth/auth';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity, Services } from '../../context/services';
import { ForeignKeyViolation, type Queries, UniqueViolation } from '../../db/core/database';
import { fieldOfKey } from '../../db/core/names';

/** A request to write. Its transaction reads the caller again, since `request.caller` may be stale. */
export interface WriteRequest {
  services: Services;
  entity: ModelEntity;
  request: FastifyRequest;
}

/**
 * Runs `write` in a transaction with the current caller; `write` must check permissions. Throws 422 at the field of a
 * violated unique key; with `isRestore`, where nobody has typed a value, 409.
 */
export const inTransaction = <T>(
  { services, entity, request }: WriteRequest,
  write: (tx: Queries, caller: Caller) => Promise<T>,
  isRestore = false,
): Promise<T> =>
  withKeyErrors(
    entity,
    () => services.db.transaction(async (tx) => write(tx, await readCaller(tx, request))),
    isRestore,
  );

/** Turns key violations into errors of the API: a value that was taken meanwhile is a problem of its field. */
async function withKeyErrors<T>(entity: ModelEntity, write: () => Promise<T>, isRestore: boolean): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ForeignKeyViolation) throw ApiError.conflict('conflict');
    if (!(error instanceof UniqueViolation)) throw error;
    const field = fieldOfKey(entity, error.constraint);
    if (!field) throw ApiError.conflict('conflict');
    throw isRestore ? ApiError.taken(field, entity.name) : ApiError.invalidAt(field, { key: 'taken' }, entity.name);
  }
}
